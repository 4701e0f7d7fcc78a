/* SPDX-License-Identifier: MIT */
#include "row.h"

static char command[2 * PATH_MAX + 100];

static char *reads(int fd, const char *more)
{
	snprintf(command, sizeof command, "'%s' receive %d 104%s", row_program, fd, more);
	return command;
}

static void row(void)
{
	char b[4];
	int fd = held("a", 100), ce = held_open("b", 200, O_RDWR | O_CLOEXEC);

	CHECK(system(NULL) != 0);
	GIVES(system(reads(fd, "")), 0);
	AT(fd, 108);
	GIVES(read(fd, b, 4), 4);
	CHECK(has(b, 108, 4));
	AT(ce, 204);
	GIVES(read(ce, b, 4), 4);
	CHECK(has(b, 204, 4));

	fd = held("a", 100); /* two programs one after the other: the second goes on where the
				first stopped */
	snprintf(command, sizeof command,
		 "'%s' receive %d 104 && '%s' receive %d 108; exit $((40 + $?))", row_program,
		 fd, row_program, fd);
	CHECK(WEXITSTATUS(system(command)) == 40);
	AT(fd, 112);

	fd = held("a", 300); /* what a program writes there is behind our offset afterwards */
	snprintf(command, sizeof command, "printf 12345 >&%d", fd);
	if (fd < 10) { /* dash knows no greater numbers */
		CHECK(system(command) == 0);
		AT(fd, 309);
		GIVES(lseek(fd, -5, SEEK_CUR), 304);
		GIVES(read(fd, b, 4), 4);
		CHECK(!memcmp(b, "1234", 4));
	}
	fd = held("a", 400);
	CHECK(WEXITSTATUS(system("exit 7")) == 7 &&
	      WEXITSTATUS(system("/nowhere/at/all 2>/dev/null")) == 127);
	AT(fd, 404);
	child_receives(fd, 404);
}
