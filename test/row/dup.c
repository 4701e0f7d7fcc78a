/* SPDX-License-Identifier: MIT */
#include "row.h"

static void row(void)
{
	char b[4];
	int fd = held("a", 100), copy, third;

	copy = dup(fd);
	CHECK(copy >= 0 && copy != fd);
	AT(copy, 104);
	GIVES(read(copy, b, 4), 4); /* one offset for both */
	CHECK(has(b, 104, 4));
	AT(fd, 108);
	GIVES(lseek(fd, 1000, SEEK_SET), 1000);
	GIVES(write(copy, "wxyz", 4), 4);
	AT(fd, 1004);
	third = dup(copy);
	GIVES(close(copy), 0);
	GIVES(lseek(third, 4, SEEK_CUR), 1008);
	GIVES(read(fd, b, 4), 4);
	CHECK(has(b, 1008, 4));
	AT(third, 1012);

	/* a copy taken before the first seek */
	GIVES(close(fd), 0);
	fd = open("a", O_RDWR);
	copy = dup(fd);
	hold(fd, 2000);
	AT(copy, 2004);
	hold(copy, 3000);
	AT(fd, 3004);
	AT(third, 1012);

	GIVES(fcntl(copy, F_GETFD), 0);
	FAILS(dup(-1), EBADF);
	FAILS(dup(1 << 20), EBADF);
	GIVES(close(copy), 0);
	FAILS(dup(copy), EBADF);
	child_receives(fd, 3004);
	child_receives(third, 1012);
}
