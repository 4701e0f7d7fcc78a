/* SPDX-License-Identifier: MIT */
#include "row.h"

static void row(void)
{
	char b[4];
	int fd = held("a", 100), copy, high;

	copy = fcntl(fd, F_DUPFD, 0);
	high = fcntl(fd, F_DUPFD_CLOEXEC, 400L);
	CHECK(copy > fd && high == 400);
	GIVES(fcntl(high, F_GETFD), FD_CLOEXEC);
	GIVES(fcntl(copy, F_GETFD), 0);
	GIVES(read(high, b, 4), 4);
	CHECK(has(b, 104, 4));
	AT(fd, 108);
	AT(copy, 108);
	FAILS(fcntl(fd, F_DUPFD, -1), EINVAL);
	FAILS(fcntl(-1, F_DUPFD, 0), EBADF);
	FAILS(fcntl(fd, 9999, 0), EINVAL);
	GIVES(fcntl(fd, F_GETFL),
	      O_RDWR | (fcntl(fd, F_GETFL) & 0100000)); /* O_LARGEFILE as it likes */

	/* O_APPEND for all numbers at once, and off again */
	GIVES(fcntl(copy, F_SETFL, O_APPEND), 0);
	GIVES(lseek(fd, 200, SEEK_SET), 200);
	GIVES(read(fd, b, 4), 4);
	CHECK(has(b, 200, 4));
	GIVES(write(fd, "abcd", 4), 4);
	AT(high, ROW_SIZE + 4);
	GIVES(lseek(high, 300, SEEK_SET), 300);
	GIVES(fcntl(high, F_SETFL, 0), 0);
	GIVES(write(copy, "efgh", 4), 4);
	AT(fd, 304);
	CHECK(size_of("a") == ROW_SIZE + 4);
	GIVES(lseek(fd, -4, SEEK_CUR), 300);
	GIVES(read(copy, b, 4), 4);
	CHECK(!memcmp(b, "efgh", 4));
	GIVES(close(copy), 0);
	child_receives(high, 304);
}
