/* SPDX-License-Identifier: MIT */
#include "row.h"

static void row(void)
{
	static char b[ROW_SIZE];
	int fd = held("a", 256), other = open("a", O_RDONLY), p[2];

	GIVES(read(fd, b, 100), 100);
	CHECK(has(b, 260, 100));
	AT(fd, 360);
	GIVES(read(other, b, 4), 4); /* another description of the same file: its own offset */
	CHECK(has(b, 0, 4));
	AT(fd, 360);

	GIVES(read(fd, b, 0), 0);
	GIVES(read(fd, NULL, 0), 0);
	AT(fd, 360);
	GIVES(lseek(fd, ROW_SIZE - 10, SEEK_SET), ROW_SIZE - 10);
	GIVES(read(fd, b, sizeof b), 10); /* a short one at the end */
	CHECK(has(b, ROW_SIZE - 10, 10));
	GIVES(read(fd, b, sizeof b), 0);
	AT(fd, ROW_SIZE);
	CHECK(!truncate("a", ROW_SIZE + 3)); /* grows under us */
	GIVES(read(fd, b, sizeof b), 3);
	CHECK(b[0] == 0 && b[2] == 0);
	CHECK(!truncate("a", 100)); /* shrinks under us: the offset stays behind the end */
	GIVES(read(fd, b, 1), 0);
	AT(fd, ROW_SIZE + 3);
	GIVES(lseek(fd, 0, SEEK_END), 100);

	/* bad buffers: nothing, or up to the edge */
	hold(fd, 16);
	FAILS(read(fd, edge(0), 8), EFAULT);
	AT(fd, 20);
	GIVES(read(fd, edge(5), 8), 5);
	AT(fd, 25);
	FAILS(read(fd, (void *)1, 0x7ffff001), EFAULT);
	FAILS(read(fd, b, SIZE_MAX), EFAULT);
	FAILS(read(fd, (void *)-4096, 0), EFAULT);
	FAILS(read(fd, b, (size_t)SSIZE_MAX + 1), EFAULT);
	AT(fd, 25);
	GIVES(read(fd, b, 4), 4);
	CHECK(has(b, 25, 4));
	child_receives(fd, 29);

	fd = open("a", O_WRONLY);
	GIVES(lseek(fd, 10, SEEK_SET), 10);
	GIVES(lseek(fd, 12, SEEK_SET), 12);
	FAILS(read(fd, b, 4), EBADF);
	FAILS(read(fd, b, 0), EBADF);
	AT(fd, 12);
	GIVES(write(fd, b, 4), 4);
	FAILS(read(fd, (void *)1, 4), EBADF);
	AT(fd, 16);
	GIVES(close(fd), 0);
	FAILS(read(fd, b, 4), EBADF);
	FAILS(read(-1, b, 4), EBADF);
	fd = open("a", O_PATH);
	FAILS(read(fd, b, 4), EBADF);
	fd = open(".", O_RDONLY);
	FAILS(read(fd, b, 4), EISDIR);
	FAILS(read(fd, b, 0), EISDIR);

	CHECK(!pipe(p));
	GIVES(write(p[1], "abcd", 4), 4);
	GIVES(read(p[0], b, 100), 4);
	FAILS(read(p[1], b, 1), EBADF);
}
