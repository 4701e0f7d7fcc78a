/* SPDX-License-Identifier: MIT */
/* What read() becomes under _FORTIFY_SOURCE. */
#include "row.h"

ssize_t __read_chk(int, void *, size_t, size_t);

static void row(void)
{
	char b[100];
	int fd = held("a", 256), st;
	pid_t pid;

	GIVES(__read_chk(fd, b, 100, 100), 100);
	CHECK(has(b, 260, 100));
	AT(fd, 360);
	GIVES(__read_chk(fd, b, 0, 0), 0);
	FAILS(__read_chk(fd, edge(0), 8, 100), EFAULT);
	GIVES(__read_chk(fd, edge(5), 8, (size_t)-1), 5);
	AT(fd, 365);
	FAILS(__read_chk(-1, b, 8, 100), EBADF);

	pid = fork();
	if (pid == 0) { /* longer than the buffer: libc ends the program, nothing is read */
		RAW(SYS_dup3, RAW(SYS_openat, AT_FDCWD, "/dev/null", O_WRONLY), 2, 0);
		__read_chk(fd, b, 101, 100);
		_exit(0);
	}
	CHECK(pid > 0 && waitpid(pid, &st, 0) == pid && WIFSIGNALED(st) &&
	      WTERMSIG(st) == SIGABRT);
	AT(fd, 365);
	child_receives(fd, 365);
}
