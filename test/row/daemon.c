/* SPDX-License-Identifier: MIT */
/* Forks, the parent ends, and 0, 1 and 2 become /dev/null inside libc. */
#include "row.h"

static void daemon_of(int keep, int tell)
{
	char b[4];
	int fd = held("a", 100), low = 0;

	if (!keep) { /* a held file at number 0: daemon puts /dev/null over it */
		GIVES(close(0), 0);
		CHECK(open("a", O_RDWR) == 0);
		hold(0, 200);
		low = dup(0);
	}
	errno = ROW_MARK;
	CHECK(daemon(1, keep) == 0);
	receive(fd, 104);
	if (!keep) {
		GIVES(read(0, b, 4), 0);
		GIVES(lseek(0, 500, SEEK_SET), 0);
		receive(low, 204);
		for (int i = 0; i < 3; i++)
			CHECK(kernel_offset(i) == 0);
	}
	fd = held("b", 300);
	child_receives(fd, 304);
	CHECK((write)(tell, "good", 4) == 4);
}

static void row(void)
{
	char b[4];
	int p[2], fd = held("c", 100);

	for (int keep = 0; keep < 2; keep++) {
		pid_t pid;

		CHECK(!pipe(p));
		pid = fork();
		if (pid == 0) {
			close(p[0]);
			daemon_of(keep, p[1]);
			_exit(0);
		}
		close(p[1]);
		ends(pid, 0);
		CHECK((read)(p[0], b, 4) == 4 && !memcmp(b, "good", 4));
		CHECK((read)(p[0], b, 4) == 0); /* and has ended */
		close(p[0]);
	}
	AT(fd, 104);
}
