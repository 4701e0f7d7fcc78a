/* SPDX-License-Identifier: MIT */
/*
 * vfork-waits.c - A vfork child writes to its parent's descriptor while a thread of the parent is
 * in the middle of a write for long.  The child waits, however long it takes: both have their
 * place.
 */
#include "race/race.h"
#include <dlfcn.h>

static int fd;
static _Atomic int inside;

/* Only the thread, inside its write. */
static void at_hook(const char *point, int at)
{
	struct timespec nap = {0, 200 * 1000 * 1000};

	if (at != fd || strcmp(point, "pwrite") || atomic_exchange(&inside, 1))
		return;
	nanosleep(&nap, NULL);
}

static void *writer(void *unused)
{
	MUST(write(fd, "A", 1) == 1);
	atomic_store(&inside, 1);
	return unused;
}

int main(void)
{
	void (**place)(const char *, int) = dlsym(RTLD_DEFAULT, "seekless_hook");
	char is[16];
	pthread_t t;
	int status;
	pid_t pid;

	fd = open(new_path(disk_dir()), O_RDWR | O_CLOEXEC);
	MUST(fd >= 0 && write(fd, "0123456789", 10) == 10);
	MUST(lseek(fd, 1, SEEK_SET) == 1 && lseek(fd, 2, SEEK_SET) == 2); /* one may be the kernel's */
	if (place)
		*place = at_hook;
	MUST(pthread_create(&t, NULL, writer, NULL) == 0);
	while (!atomic_load(&inside))
		sched_yield();
	pid = vfork();
	if (!pid) /* A's place is before B's, so its data is there */
		_exit(write(fd, "B", 1) != 1 || pread(fd, is, 1, 2) != 1 || is[0] != 'A');
	MUST(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
	MUST(pthread_join(t, NULL) == 0);
	MUST(lseek(fd, 0, SEEK_CUR) == 4);
	MUST(pread(fd, is, 10, 0) == 10);
	if (memcmp(is, "01AB456789", 10))
		fail("the file is %.10s", is);
	return 0;
}
