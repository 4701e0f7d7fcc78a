/* SPDX-License-Identifier: MIT */
/* Puts a terminal over 0, 1 and 2 and closes its own number, all inside libc. */
#include "row.h"
#include <pty.h>
#include <utmp.h>

/* A file is no terminal: it stays open, for every thread. */
static void *tells(void *fd)
{
	AT(*(int *)fd, 304);
	return NULL;
}
static void no_terminal(void)
{
	int fd = held("d", 300);
	pthread_t thread;
	pid_t pid = fork();

	if (pid == 0) {
		int own = held("e", 300);

		FAILS(login_tty(own), ENOTTY);
		CHECK(!pthread_create(&thread, NULL, tells, &own) && !pthread_join(thread, NULL));
		FAILS(login_tty(fd), ENOTTY);
		receive(fd, 304);
		_exit(0);
	}
	ends(pid, 0);
	AT(fd, 308);
}

static void row(void)
{
	int fd = held("a", 100), master, slave, p[2];
	char b[4];
	pid_t pid;

	make_file("b", ROW_SIZE);
	if (openpty(&master, &slave, NULL, NULL, NULL))
		SKIP("no pseudo terminals here");
	CHECK(!pipe(p));
	pid = fork();
	if (pid == 0) {
		int own = held("c", 300), copies[3];

		for (int i = 0; i < 3; i++) { /* files of ours where the terminal goes */
			(close)(i);
			CHECK(open("b", O_RDWR) == i);
			hold(i, 1000 + 100 * i);
			copies[i] = dup(i);
		}
		GIVES(login_tty(slave), 0);
		for (int i = 0; i < 3; i++) {
			FAILS(lseek(i, 0, SEEK_CUR), ESPIPE);
			AT(copies[i], 1004 + 100 * i);
		}
		FAILS(lseek(slave, 0, SEEK_CUR), EBADF);
		CHECK(open("b", O_RDWR) == slave);
		AT(slave, 0);
		hold(slave, 500);
		AT(own, 304);
		receive(fd, 104);
		child_receives(slave, 504);
		for (int i = 0; i < 3; i++)
			child_receives(copies[i], 1004 + 100 * i);
		CHECK((write)(p[1], "good", 4) == 4);
		_exit(0);
	}
	CHECK((read)(p[0], b, 4) == 4 && !memcmp(b, "good", 4));
	ends(pid, 0);
	AT(fd, 108);
	errno = 0;
	CHECK(login_tty(-1) == -1);
	no_terminal();
}
