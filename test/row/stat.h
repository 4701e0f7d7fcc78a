/* SPDX-License-Identifier: MIT */
/* The stat family on a descriptor: the size is what it is now, and the offset stays. */
#include "row.h"

static int stat_of(int fd, struct stat *st); /* each program's own way */

static void row(void)
{
	struct stat st;
	char b[8] = "12345678";
	int fd = held("a", 100), p[2];

	GIVES(stat_of(fd, &st), 0);
	CHECK(S_ISREG(st.st_mode) && st.st_size == ROW_SIZE);
	AT(fd, 104);
	for (int i = 1; i <= 5; i++) { /* growing and shrinking by others, asked in between */
		CHECK(!truncate("a", i * 1000));
		GIVES(stat_of(fd, &st), 0);
		CHECK(st.st_size == i * 1000);
		GIVES(lseek(fd, 0, SEEK_END), i * 1000);
		GIVES(write(fd, b, 8), 8);
		GIVES(stat_of(fd, &st), 0);
		CHECK(st.st_size == i * 1000 + 8);
		GIVES(lseek(fd, -4, SEEK_END), i * 1000 + 4);
		GIVES(read(fd, b, 8), 4);
	}
	CHECK(!pipe(p));
	GIVES(stat_of(p[0], &st), 0);
	CHECK(S_ISFIFO(st.st_mode));
	fd = open("a", O_PATH);
	GIVES(stat_of(fd, &st), 0);
	GIVES(close(fd), 0);
	FAILS(stat_of(fd, &st), EBADF);
	FAILS(stat_of(-1, &st), EBADF);
	fd = held("b", 300);
	GIVES(stat_of(fd, &st), 0);
	child_receives(fd, 304);
}
