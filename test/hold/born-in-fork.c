/* SPDX-License-Identifier: MIT */
/*
 * born-in-fork.c - A file is opened while another thread is in fork: after the shim has handed back
 * what there was, before the kernel copies the descriptors.  Parent and child share it from then
 * on.  Twice: the other thread has not opened anything before, or it has.
 */
#include "race/race.h"
#include <dlfcn.h>

enum { AT = 5 };
static int hole, high; /* numbers: one that is free, and one above it */
static const char *path;
static __thread int forks;
static _Atomic int is_ready, may_open, is_open;

static void until(_Atomic int *what)
{
	while (!atomic_load(what))
		sched_yield();
}

static void at_hook(const char *point, int at)
{
	if (!forks || at != high || strcmp(point, "handback"))
		return;
	atomic_store(&may_open, 1);
	until(&is_open);
}

static void *opener(void *has_opened)
{
	if (has_opened)
		MUST(close(open(path, O_RDWR)) == 0);
	atomic_store(&is_ready, 1);
	until(&may_open);
	MUST(open(path, O_RDWR) == hole);
	atomic_store(&is_open, 1);
	return NULL;
}

static void round_of(int has_opened)
{
	void (**place)(const char *, int) = dlsym(RTLD_DEFAULT, "seekless_hook");
	int to_child[2], status;
	pthread_t t;
	pid_t pid;
	char c;

	is_ready = may_open = is_open = 0;
	MUST(pipe(to_child) == 0);
	hole = open(path, O_RDWR);
	high = open(path, O_RDWR);
	MUST(hole >= 0 && high > hole && close(hole) == 0);
	MUST(lseek(high, 1, SEEK_SET) == 1 && lseek(high, 1, SEEK_SET) == 1);
	MUST(pthread_create(&t, NULL, opener, has_opened ? &is_ready : NULL) == 0);
	until(&is_ready);
	if (place)
		*place = at_hook;
	atomic_store(&may_open, !place);
	if (!place)
		until(&is_open);
	forks = 1;
	pid = fork();
	forks = 0;
	if (!pid) {
		MUST(read(to_child[0], &c, 1) == 1);
		_exit(raw_lseek(hole, 0, SEEK_CUR) != AT);
	}
	/* The first lseek may be the kernel's, and the child must see the second. */
	MUST(pid > 0 && lseek(hole, 1, SEEK_SET) == 1 && lseek(hole, AT, SEEK_SET) == AT);
	MUST(write(to_child[1], "", 1) == 1);
	MUST(waitpid(pid, &status, 0) == pid && pthread_join(t, NULL) == 0);
	if (status)
		fail("the child does not see the offset that its parent has set");
	if (place)
		*place = NULL;
	close(hole), close(high), close(to_child[0]), close(to_child[1]);
}

int main(void)
{
	path = new_path(disk_dir());
	round_of(0);
	round_of(1);
	return 0;
}
