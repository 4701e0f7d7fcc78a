/* SPDX-License-Identifier: MIT */
/* No row of the table: what is not a regular file on a real file system, or only looks like
 * one. Call by call as a twin that is asked by the bare instruction. */
#define ROW_TAKES_NONE
#include "row.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

static const char *const paths[] = {
	"/dev/zero",
	"/dev/null",
	"/dev/full",
	"/dev/urandom",
	"/proc/version",
	"/proc/cpuinfo",
	"/proc/self/environ",
	"/proc/self/auxv",
	"/proc/self/maps",
	"/proc/filesystems",
	"/proc/self/comm",
	"/proc/sys/kernel/ostype",
	"/proc/sys/kernel/hostname",
	"/proc/self/oom_score_adj",
	"/proc/self/mounts",
	"/proc/self/fdinfo/0",
	"/proc/self/mem",
	"/sys/kernel/mm/transparent_hugepage/enabled",
	"/sys/devices/system/cpu/online",
	"/sys/fs/cgroup/cgroup.procs",
	"/sys/kernel/tracing/README",
	"/dev/tty",
	"/dev/ptmx",
	"/dev/fuse",
	"/dev/shm",
	"/",
	"/proc",
	"/sys",
};

static void history(int fd, int twin, int compare)
{
	static char b[300], c[300];
	const struct {
		long o;
		int whence;
		size_t n;
	} steps[] = {
		{0, SEEK_CUR, 10},	 {3, SEEK_SET, 5},  {0, SEEK_CUR, 0},
		{-2, SEEK_CUR, 100},	 {0, SEEK_END, 10}, {-3, SEEK_END, 9},
		{0, SEEK_SET, 300},	 {-1, SEEK_SET, 4}, {1, 99, 4},
		{0, SEEK_DATA, 4},	 {0, SEEK_HOLE, 4}, {100000, SEEK_SET, 4},
		{1L << 40, SEEK_SET, 4}, {7, SEEK_SET, 20}, {1, SEEK_CUR, 20},
	};

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		long n;

		SAME(lseek(fd, steps[i].o, steps[i].whence),
		     RAW(SYS_lseek, twin, steps[i].o, steps[i].whence));
		n = RAW(SYS_read, twin, c, steps[i].n);
		SAME(read(fd, b, steps[i].n), n);
		CHECK(!compare || n <= 0 || !memcmp(b, c, n));
		SAME(lseek(fd, 0, SEEK_CUR), RAW(SYS_lseek, twin, 0, SEEK_CUR));
		SAME(write(fd, "x", 0), RAW(SYS_write, twin, "x", 0));
	}
}

static void row(void)
{
	sigset_t none;
	int made[] = {eventfd(0, EFD_NONBLOCK), epoll_create1(0), inotify_init1(IN_NONBLOCK),
		      timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK), -1};
	char b[32];
	int fd;

	sigemptyset(&none);
	made[4] = signalfd(-1, &none, SFD_NONBLOCK);
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		int opened = open(paths[i], O_RDONLY | O_NONBLOCK), twin;

		if (opened < 0)
			continue;
		twin = twin_of(paths[i], O_RDONLY | O_NONBLOCK);
		history(opened, twin, i != 3 && i != 8);
		GIVES(close(opened), 0);
		RAW(SYS_close, twin);
	}
	for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
		fd = dup(made[i]);
		history(fd, made[i], 1);
	}
	/* written without the offset moving as it would elsewhere */
	fd = open("/proc/self/comm", O_RDWR);
	for (int i = 0; i < 3 && fd >= 0; i++) {
		int twin = twin_of("/proc/self/comm", O_RDWR);

		SAME(lseek(fd, i, SEEK_SET), RAW(SYS_lseek, twin, i, SEEK_SET));
		SAME(write(fd, "some", 4), RAW(SYS_write, twin, "some", 4));
		SAME(lseek(fd, 0, SEEK_CUR), RAW(SYS_lseek, twin, 0, SEEK_CUR));
		SAME(read(fd, b, 30), RAW(SYS_read, twin, b, 30));
		RAW(SYS_close, twin);
	}
}
