/* SPDX-License-Identifier: MIT */
#include "row.h"

static void row(void)
{
	char b[4];
	int fd, other, low, fresh;

	if (!closefrom)
		SKIP("this libc has no closefrom");
	fd = held("a", 100);
	other = held("b", 200);
	low = dup(other);
	GIVES(dup2(other, 4000), 4000);
	GIVES(dup2(fd, 4001), 4001);
	errno = ROW_MARK;
	closefrom(4000);
	CHECK(errno == ROW_MARK);
	FAILS(lseek(4000, 0, SEEK_CUR), EBADF);
	FAILS(read(4001, b, 4), EBADF);
	AT(fd, 104);
	AT(low, 204);

	CHECK(dup2(low, 3000) == 3000 && dup2(fd, 3001) == 3001);
	closefrom(fd); /* fd, other, low, and both */
	FAILS(read(fd, b, 4), EBADF);
	FAILS(write(3000, b, 4), EBADF);
	CHECK((fresh = open("a", O_RDONLY)) == fd);
	AT(fresh, 0);
	hold(fresh, 300);
	CHECK(open("b", O_RDONLY) == other);
	AT(other, 0);
	child_receives(fresh, 304);
}
