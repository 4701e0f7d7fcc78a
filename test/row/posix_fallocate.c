/* SPDX-License-Identifier: MIT */
/* No row of the table: sizes grow, the offset stays. */
#include "row.h"

static void row(void)
{
	char b[4];
	int fd = held("a", 100);

	GIVES(posix_fallocate(fd, ROW_SIZE, 1000) == 0 ? (errno = ROW_MARK, 0) : 1, 0);
	AT(fd, 104);
	GIVES(lseek(fd, 0, SEEK_END), ROW_SIZE + 1000);
	GIVES(read(fd, b, 4), 0);
	CHECK(fallocate(fd, 0, 0, ROW_SIZE + 2000) == 0 || errno == EOPNOTSUPP);
	AT(fd, ROW_SIZE + 1000);
	CHECK(posix_fallocate(fd, -1, 10) == EINVAL && posix_fallocate(-1, 0, 10) == EBADF);
	AT(fd, ROW_SIZE + 1000);
	hold(fd, 300);
	if (!fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 304, 4)) {
		GIVES(read(fd, b, 4), 4);
		CHECK(!memcmp(b, "\0\0\0\0", 4));
	}
	hold(fd, 400);
	child_receives(fd, 404);
}
