/* SPDX-License-Identifier: MIT */
#include "row.h"

enum { UNSHARE = 2, SET_CLOEXEC = 4 };

static void row(void)
{
	char b[4];
	int fd, other, copy, fresh;

	if (!close_range)
		SKIP("this libc has no close_range");
	make_file("a", ROW_SIZE);
	if (close_range(3500, 3500, 0) && errno == ENOSYS)
		SKIP("the kernel has no close_range");
	fd = held("a", 100);
	other = held("b", 200);
	copy = dup(other);
	GIVES(dup2(fd, 3000), 3000);
	GIVES(dup2(other, 3002), 3002);

	GIVES(close_range(3000, 3001, 0), 0);
	FAILS(lseek(3000, 0, SEEK_CUR), EBADF);
	FAILS(read(3000, b, 4), EBADF);
	AT(3002, 204);
	GIVES(close_range(fd, other, 0), 0);
	FAILS(read(fd, b, 4), EBADF);
	FAILS(write(other, b, 4), EBADF);
	AT(copy, 204);
	fresh = open("a", O_RDWR);
	CHECK(fresh == fd);
	AT(fresh, 0);
	hold(fresh, 300);

	GIVES(close_range(3002, 3010, SET_CLOEXEC), 0);
	GIVES(fcntl(3002, F_GETFD), FD_CLOEXEC);
	AT(3002, 204);
	hold(3002, 400);
	AT(copy, 404);

	FAILS(close_range(10, 9, 0), EINVAL);
	FAILS(close_range(3, 5, 64), EINVAL);
	GIVES(close_range(4000, ~0U, 0), 0);
	AT(fresh, 304);
	child_receives(copy, 404);

	/* with a table of its own: everything still works, and the rest of the numbers is gone
	 */
	hold(fresh, 500);
	GIVES(close_range(3002, ~0U, UNSHARE), 0);
	FAILS(lseek(3002, 0, SEEK_CUR), EBADF);
	AT(fresh, 504);
	child_receives(fresh, 504);
	fresh = held("c", 600);
	child_receives(fresh, 604);
}
