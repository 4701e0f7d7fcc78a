/* SPDX-License-Identifier: MIT */
/* System calls by number, mixed with the functions: one offset. (Every row runs by numbers,
 * too: ROW_SETTING=syscall.) */
#include "row.h"
#include <linux/close_range.h>
#include <linux/openat2.h>
#include <linux/sched.h>

enum { NR_close_range = 436, NR_openat2 = 437 }; /* older headers lack them */

static long number(long nr, long a, long b, long c, long d, long e, long f)
{
	return syscall(nr, a, b, c, d, e, f);
}

static void births_and_deaths(void)
{
	struct open_how how = {.flags = O_RDWR};
	char b[4];
	int fd, other;

	fd = (int)number(NR_openat2, AT_FDCWD, (long)"a", (long)&how, sizeof how, 0, 0);
	if (fd >= 0) {
		hold(fd, 1100);
		child_receives(fd, 1104);
		GIVES(syscall(SYS_close, fd), 0);
	}
	fd = open("a", O_RDWR);
	hold(fd, 1100);
	other = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 200L);
	AT(other, 1104);
	GIVES(syscall(SYS_dup3, other, 300, 0), 300);
	GIVES(read(300, b, 4), 4);
	AT(fd, 1108);
	GIVES(syscall(NR_close_range, 300, 300, 0), 0);
	FAILS(read(300, b, 4), EBADF);
	FAILS(syscall(NR_close_range, 250, 350, 0x100), EINVAL); /* a flag that there is not */
}

static void processes(void)
{
	struct clone_args args = {.exit_signal = SIGCHLD};
	char text[12];
	int fd = held("b", 100);
	pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);

	if (pid == 0) {
		receive(fd, 104);
		_exit(0);
	}
	if (pid > 0) {
		ends(pid, 0);
		AT(fd, 108);
	}
	fd = held("b", 200);
	pid = (pid_t)syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L);
	if (pid == 0) {
		char *args_of[] = {row_program, "receive", text, "304", NULL};

		receive(fd, 204);
		fd = held("c", 300);
		snprintf(text, sizeof text, "%d", fd);
		FAILS(syscall(SYS_execve, "/nowhere/at/all", args_of, environ), ENOENT);
		AT(fd, 304);
		syscall(SYS_execveat, AT_FDCWD, row_program, args_of, environ, 0);
		_exit(99);
	}
	ends(pid, 0);
	AT(fd, 208);
}

static void row(void)
{
	char b[100];
	struct iovec v = {b, 10};
	int fd = held("a", 100);

	GIVES(syscall(SYS_read, fd, b, 10), 10);
	CHECK(has(b, 104, 10));
	AT(fd, 114);
	GIVES(syscall(SYS_lseek, fd, -14L, SEEK_CUR), 100);
	GIVES(read(fd, b, 4), 4);
	GIVES(syscall(SYS_write, fd, "abcd", 4), 4);
	GIVES(syscall(SYS_readv, fd, &v, 1), 10);
	GIVES(syscall(SYS_writev, fd, &v, 1), 10);
	AT(fd, 128);
	GIVES(syscall(SYS_lseek, fd, 0L, SEEK_END), ROW_SIZE);
	hold(fd, 200);
	GIVES(number(SYS_preadv2, fd, (long)&v, 1, -1, -1, 0), 10);
	AT(fd, 214);
	FAILS(syscall(SYS_lseek, fd, -1L, SEEK_SET), EINVAL);
	FAILS(syscall(SYS_lseek, fd, 0L, 99), EINVAL);
	FAILS(syscall(SYS_read, -1, b, 4), EBADF);
	FAILS(syscall(SYS_read, fd, 1L, 4L), EFAULT);
	FAILS(syscall(100000L), ENOSYS);
	FAILS(syscall(-1L), ENOSYS);
	GIVES(syscall(SYS_getpid), getpid());
	/* only the low half of the register names the descriptor */
	GIVES(number(SYS_lseek, 0x5555555500000000 + fd, 300, 0x7777777700000000 + SEEK_SET, 0, 0,
		     0),
	      300);
	GIVES(number(SYS_read, 0x5555555500000000 + fd, (long)b, 4, 0, 0, 0), 4);
	CHECK(has(b, 300, 4));
	AT(fd, 304);
	child_receives(fd, 304);
	births_and_deaths();
	processes();
}
