/* SPDX-License-Identifier: MIT */
/* What open() becomes under _FORTIFY_SOURCE when there is no third argument. */
#include "born.h"

int __open64_2(const char *, int);

static void row(void)
{
	int st;
	pid_t pid;

	make_file("a", ROW_SIZE);
	born_full(__open64_2("a", O_RDONLY));
	born_full(__open64_2("a", O_RDWR | O_CLOEXEC));
	FAILS(__open64_2("none", O_RDONLY), ENOENT);
	FAILS(__open64_2("a/b", O_RDONLY), ENOTDIR);
	pid = fork();
	if (pid == 0) { /* O_CREAT needs a mode: libc ends the program */
		RAW(SYS_dup3, RAW(SYS_openat, AT_FDCWD, "/dev/null", O_WRONLY), 2, 0);
		__open64_2("new", O_RDWR | O_CREAT);
		_exit(0);
	}
	CHECK(pid > 0 && waitpid(pid, &st, 0) == pid && WIFSIGNALED(st) &&
	      WTERMSIG(st) == SIGABRT);
}
