/* SPDX-License-Identifier: MIT */
/* abuse.h - what the scenes share: a file, uses of it, and the memory of this process. */
#ifndef SEEKLESS_TEST_FAULT_ABUSE_H
#define SEEKLESS_TEST_FAULT_ABUSE_H

#include "fault/say.h"
#include <grp.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { SIZE = 65536, NOBODY = 65534 };

/* In the folder of the test. */
static void make_file(const char *name)
{
	char b[SIZE];
	long fd = bare_syscall(SYS_openat, AT_FDCWD, (long)name, O_RDWR | O_CREAT | O_TRUNC, 0666,
			       0, 0);

	for (int i = 0; i < SIZE; i++)
		b[i] = (char)tmp_byte(i);
	CHECK(fd >= 0 && bare_syscall(SYS_write, fd, (long)b, SIZE, 0, 0, 0) == SIZE);
	bare_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
}

/* Two places and a read: if ever the library takes the offset, it has. */
static int held(const char *name, int flags, off_t at)
{
	char b[4];
	int fd = open(name, flags | O_CLOEXEC);

	lseek(fd, at / 2, SEEK_SET);
	lseek(fd, at, SEEK_SET);
	if (read(fd, b, 4) == 4)
		CHECK((unsigned char)b[0] == tmp_byte(at));
	return fd;
}

static void use(int fd)
{
	unsigned char b[8] = "";

	SAID(lseek(fd, 0, SEEK_CUR));
	SAID(read(fd, b, 8));
	SAY("    %d %d\n", b[0], b[7]);
	SAID(write(fd, "abcdefgh", 8));
	SAID(lseek(fd, -8, SEEK_CUR));
	SAID(read(fd, b, 8));
	SAY("    %d %d\n", b[0], b[7]);
	SAID(lseek(fd, -4, SEEK_END));
	SAID(read(fd, b, 8));
	SAID(lseek(fd, 1000, SEEK_SET));
	SAID(lseek(fd, 0, SEEK_CUR));
}

static void wait_for(pid_t pid)
{
	int status = -1;

	SAY("waited: %d\n", waitpid(pid, &status, 0) == pid);
	SAY("status: %#x\n", status);
}

/* A forked child sees the kernel's own offset. */
static void hand_over(int fd)
{
	pid_t pid = fork();

	if (pid == 0) {
		SAY("the kernel is at %ld\n", bare_syscall(SYS_lseek, fd, 0, SEEK_CUR, 0, 0, 0));
		_exit(0);
	}
	wait_for(pid);
}

/* The library's handler is in the kernel, but sigaction does not show it. */
static void report(void)
{
	long kernels[20] = {0};

	if (!bare_syscall(SYS_rt_sigaction, SIGUSR1, 0, (long)kernels, 8, 0, 0) && kernels[0])
		raise(SIGUSR1);
}

/* KiB: all that is mapped, and what of it is in memory. */
static void memory(long *mapped, long *resident)
{
	char b[100] = "";
	long fd = bare_syscall(SYS_openat, AT_FDCWD, (long)"/proc/self/statm", O_RDONLY, 0, 0, 0);

	bare_syscall(SYS_read, fd, (long)b, sizeof(b) - 1, 0, 0, 0);
	bare_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
	CHECK(sscanf(b, "%ld %ld", mapped, resident) == 2);
	*mapped *= 4;
	*resident *= 4;
}

#endif
