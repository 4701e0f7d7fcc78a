/* SPDX-License-Identifier: MIT */
/* What a vfork'ed child arranges for the program that it executes, as shells and launchers do
 * it. */
#include "row.h"

static char *args[] = {row_program, "receive", "300", "104", NULL};

#define STARTS(...)                                                                            \
	do {                                                                                   \
		pid_t pid_ = vfork();                                                          \
		if (pid_ == 0) {                                                               \
			__VA_ARGS__ execv(row_program, args);                                  \
			_exit(99);                                                             \
		}                                                                              \
		ends(pid_, 0);                                                                 \
	} while (0)

static void row(void)
{
	char number[12];
	static int fd, ce, n;
	pid_t pid;

	fd = held("a", 100); /* inherited as it is */
	STARTS(GIVES(dup2(fd, 300), 300););
	AT(fd, 108);

	fd = held_open("b", 100, O_RDWR | O_CLOEXEC); /* dup2 clears close-on-exec */
	ce = held_open("c", 100, O_RDWR | O_CLOEXEC);
	STARTS(GIVES(dup2(fd, 300), 300););
	AT(fd, 108);
	AT(ce, 104);
	STARTS(GIVES(dup3(ce, 300, 0), 300););
	AT(ce, 108);

	fd = held_open("b", 100, O_RDWR | O_CLOEXEC);
	STARTS(GIVES(fcntl(fd, F_DUPFD, 300L), 300););
	AT(fd, 108);

	fd = held_open("b", 100,
		       O_RDWR | O_CLOEXEC); /* F_SETFD clears it for the child alone */
	snprintf(number, sizeof number, "%d", fd);
	args[2] = number;
	STARTS(GIVES(fcntl(fd, F_SETFD, 0), 0););
	AT(fd, 108);
	GIVES(fcntl(fd, F_GETFD), FD_CLOEXEC);

	fd = held_open("b", 100, O_RDWR | O_CLOEXEC); /* dup, then over the old number */
	snprintf(number, sizeof number, "%d", fd);
	STARTS(n = dup(fd); GIVES(dup2(n, fd), fd););
	AT(fd, 108);

	/* opened and seeked by the child itself, the file's number being in use here */
	fd = held("d", 2000);
	args[2] = "300";
	STARTS(GIVES(close(fd), 0); CHECK(open("d", O_RDWR) == fd); hold(fd, 100);
	       GIVES(dup2(fd, 300), 300););
	AT(fd, 2004);

	/* exec fails: the child goes on, so do we */
	fd = held("e", 100);
	ce = held_open("f", 200, O_RDWR | O_CLOEXEC);
	pid = vfork();
	if (pid == 0) {
		FAILS(execv("/nowhere/at/all", args), ENOENT);
		FAILS(execv("/", args), EACCES);
		AT(fd, 104);
		hold(ce, 300);
		GIVES(dup2(ce, 301), 301);
		_exit(n = 127);
	}
	ends(pid, 127);
	CHECK(n == 127);
	AT(fd, 104);
	AT(ce, 304);
	child_receives(fd, 104);
}
