/* SPDX-License-Identifier: MIT */
/*
 * exec-taker.c - A thread's first lseek is stopped where it is about to take the offset; another
 * thread executes a program meanwhile, and lets the first go on while the offsets are being handed
 * back.  What the first has sought and written then, the new program must find: in the file and in
 * the offset.
 */
#include "race/race.h"
#include <dlfcn.h>
#include <sys/stat.h>

enum { AT = 5 };
static int fd, other;
static __thread int is_taker;
static _Atomic int standing, may_go, has_written;

static void until(_Atomic int *what)
{
	while (!atomic_load(what))
		sched_yield();
}

static void at_hook(const char *point, int at)
{
	if (is_taker && !strcmp(point, "take")) {
		atomic_store(&standing, 1);
		until(&may_go);
	}
	if (!is_taker && at == other && !strcmp(point, "handback")) {
		atomic_store(&may_go, 1);
		until(&has_written);
	}
}

static void *taker(void *unused)
{
	is_taker = 1;
	MUST(lseek(fd, AT, SEEK_SET) == AT && write(fd, "A", 1) == 1);
	atomic_store(&has_written, 1);
	for (;;)
		pause();
	return unused;
}

static int after_exec(char **argv)
{
	char c;

	fd = atoi(argv[1]);
	MUST(pread(fd, &c, 1, AT) == 1 && c == 'A');
	if (lseek(fd, 0, SEEK_CUR) != AT + 1)
		fail("written up to %d, but the offset is %ld", AT + 1, (long)lseek(fd, 0, SEEK_CUR));
	return 0;
}

int main(int argc, char **argv)
{
	void (**place)(const char *, int) = dlsym(RTLD_DEFAULT, "seekless_hook");
	const char *path;
	char number[16];
	struct stat st;
	pthread_t t;

	if (argc > 1)
		return after_exec(argv);
	path = new_path(disk_dir());
	fd = open(path, O_RDWR);
	other = open(path, O_RDWR); /* its turn comes after fd's */
	MUST(fd >= 0 && other > fd && write(other, "0123456789", 10) == 10);
	MUST(unlink(path) == 0 && lseek(other, 1, SEEK_SET) == 1 && lseek(other, 0, SEEK_SET) == 0);
	MUST(fstat(fd, &st) == 0); /* so that the first lseek takes */
	if (place)
		*place = at_hook;
	MUST(pthread_create(&t, NULL, taker, NULL) == 0);
	until(place ? &standing : &has_written);
	snprintf(number, sizeof number, "%d", fd);
	execl("/proc/self/exe", argv[0], number, (char *)NULL);
	fail("exec");
}
