/* SPDX-License-Identifier: MIT */
#include "row.h"
#include <pty.h>

static void row(void)
{
	char b[16];
	int fd = held("a", 100), p[2], master = -1, was_0, n;
	pid_t pid;

	CHECK(!pipe(p));
	was_0 = RAW(SYS_fcntl, 0, F_DUPFD, 500);
	make_file("b", ROW_SIZE);
	(close)(0);
	CHECK(open("b", O_RDWR) == 0); /* a file of ours at number 0: a terminal goes over it */
	hold(0, 200);
	pid = forkpty(&master, NULL, NULL, NULL);
	if (pid < 0) {
		SKIP("no pseudo terminals here");
	} else if (pid == 0) {
		for (int i = 0; i < 3; i++)
			FAILS(lseek(i, 0, SEEK_CUR), ESPIPE);
		receive(fd, 104);
		fd = held("c", 300);
		child_receives(fd, 304);
		CHECK((write)(p[1], "good", 4) == 4 && (write)(1, "said", 4) == 4);
		_exit(0);
	}
	n = (read)(p[0], b, 4);
	CHECK(n == 4 && !memcmp(b, "good", 4));
	CHECK((read)(master, b, 4) == 4 && !memcmp(b, "said", 4));
	ends(pid, 0);
	AT(fd, 108);
	AT(0, 204);
	FAILS(lseek(master, 0, SEEK_CUR), ESPIPE);
	GIVES(close(master), 0);
	CHECK(open("b", O_RDONLY) == master);
	AT(master, 0);
	hold(master, 400);
	child_receives(master, 404);
	if (was_0 >= 0)
		dup2(was_0, 0);
}
