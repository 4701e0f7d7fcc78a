/* SPDX-License-Identifier: MIT */
#include "row.h"

static void row(void)
{
	char b[4];
	int fd = held("a", 100), copy = dup(fd), p[2];

	GIVES(close(fd), 0);
	FAILS(close(fd), EBADF);
	FAILS(lseek(fd, 0, SEEK_CUR), EBADF);
	FAILS(read(fd, b, 4), EBADF);
	FAILS(write(fd, b, 4), EBADF);
	FAILS(close(-1), EBADF);
	FAILS(close(1 << 20), EBADF);
	FAILS(close(INT_MIN), EBADF);

	/* the description lives on in its other number, its offset too */
	AT(copy, 104);
	GIVES(read(copy, b, 4), 4);
	CHECK(has(b, 104, 4));

	/* the number comes back as something else */
	CHECK(!pipe(p) && p[0] == fd);
	FAILS(lseek(fd, 0, SEEK_SET), ESPIPE);
	GIVES(write(p[1], "pipe", 4), 4);
	GIVES(read(fd, b, 4), 4);
	CHECK(!memcmp(b, "pipe", 4));
	AT(copy, 108);
	GIVES(close(p[0]), 0);
	CHECK(open("a", O_RDONLY) == fd);
	AT(fd, 0);
	hold(fd, 300);
	AT(copy, 108);

	/* closed and opened anew many times: never a trace of the one before */
	for (int i = 0; i < 1000; i++) {
		GIVES(close(fd), 0);
		CHECK(open("a", O_RDWR) == fd);
		AT(fd, 0);
		GIVES(lseek(fd, 4 * i, SEEK_SET), 4 * i);
		GIVES(read(fd, b, 4), 4);
		CHECK(has(b, 4 * i, 4));
	}
	AT(copy, 108);
	child_receives(copy, 108);
}
