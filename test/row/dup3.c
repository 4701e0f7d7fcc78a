/* SPDX-License-Identifier: MIT */
#include "row.h"

static void row(void)
{
	char b[4];
	int fd = held("a", 100), other = held("b", 200), copy = dup(other);

	FAILS(dup3(fd, fd, 0), EINVAL);
	FAILS(dup3(fd, other, 77), EINVAL);
	FAILS(dup3(-1, other, 0), EBADF);
	FAILS(dup3(fd, -1, 0), EBADF);
	AT(fd, 104);
	AT(other, 204);

	GIVES(dup3(fd, 300, O_CLOEXEC), 300);
	GIVES(fcntl(300, F_GETFD), FD_CLOEXEC);
	AT(300, 104);
	GIVES(read(300, b, 4), 4);
	CHECK(has(b, 104, 4));
	AT(fd, 108);

	GIVES(dup3(fd, other, 0), other);
	GIVES(fcntl(other, F_GETFD), 0);
	GIVES(read(other, b, 4), 4);
	CHECK(has(b, 108, 4));
	AT(copy, 204);
	hold(copy, 400);
	AT(fd, 112);
	child_receives(other, 112);
	child_receives(copy, 404);
}
