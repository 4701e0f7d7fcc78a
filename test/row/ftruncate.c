/* SPDX-License-Identifier: MIT */
/* No row of the table: sizes change behind a held offset, which does not move. */
#include "row.h"

static void row(void)
{
	char b[8];
	int fd = held("a", 1000), other = open("a", O_RDWR);

	GIVES(ftruncate(fd, 500), 0);
	AT(fd, 1004);
	GIVES(read(fd, b, 8), 0);
	GIVES(lseek(fd, 0, SEEK_END), 500);
	GIVES(lseek(fd, 1004, SEEK_SET), 1004);
	GIVES(write(fd, "abcd", 4), 4); /* a hole from 500 on */
	GIVES(lseek(fd, 600, SEEK_SET), 600);
	GIVES(read(fd, b, 8), 8);
	CHECK(!memcmp(b, "\0\0\0\0\0\0\0", 8) && size_of("a") == 1008);
	GIVES(ftruncate(other, 604), 0);
	AT(fd, 608);
	GIVES(read(fd, b, 8), 0);
	GIVES(ftruncate(other, 610), 0);
	GIVES(read(fd, b, 8), 2);
	AT(fd, 610);
	GIVES(lseek(fd, 0, SEEK_END), 610);
	CHECK(!truncate("a", 0));
	GIVES(lseek(fd, 0, SEEK_END), 0);
	GIVES(lseek(fd, -1, SEEK_CUR) == -1 && errno == EINVAL ? (errno = ROW_MARK, 0) : 1, 0);
	GIVES(write(fd, "xyz", 3), 3);
	AT(fd, 3);
	FAILS(ftruncate(fd, -1), EINVAL);
	AT(fd, 3);
	GIVES(close(other), 0);
	other = open("a", O_RDONLY);
	FAILS(ftruncate(other, 0), EINVAL);
	fd = held("b", 20);
	GIVES(ftruncate(fd, 100), 0);
	child_receives(fd, 24);
}
