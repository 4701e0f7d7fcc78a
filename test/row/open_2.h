/* SPDX-License-Identifier: MIT */
/* What open() and openat() become under _FORTIFY_SOURCE when there is no further argument. */
#include "born.h"

static int open_2(const char *path, int flags); /* each program's own way */

static void row(void)
{
	int st;
	pid_t pid;

	make_file("a", ROW_SIZE);
	born_full(open_2("a", O_RDONLY));
	born_full(open_2("a", O_RDWR | O_CLOEXEC));
	FAILS(open_2("none", O_RDONLY), ENOENT);
	FAILS(open_2("a/b", O_RDONLY), ENOTDIR);
	pid = fork();
	if (pid == 0) { /* O_CREAT needs a mode: libc ends the program */
		RAW(SYS_dup3, RAW(SYS_openat, AT_FDCWD, "/dev/null", O_WRONLY), 2, 0);
		open_2("new", O_RDWR | O_CREAT);
		_exit(0);
	}
	CHECK(pid > 0 && waitpid(pid, &st, 0) == pid && WIFSIGNALED(st) &&
	      WTERMSIG(st) == SIGABRT);
}
