/* SPDX-License-Identifier: MIT */
#include "row.h"

static void row(void)
{
	char b[4];

	make_file("a", ROW_SIZE);
	for (int i = 0; i < 10; i++) {
		DIR *d = opendir(".");
		int number = dirfd(d), fd;

		CHECK(d && readdir(d) && closedir(d) == 0);
		FAILS(lseek(number, 0, SEEK_CUR), EBADF);
		fd = open("a", O_RDWR);
		CHECK(fd == number);
		AT(fd, 0);
		hold(fd, 100 * i);
		GIVES(read(fd, b, 4), 4);
		CHECK(has(b, 100 * i + 4, 4));

		/* a held file over the directory's number: closedir takes it along */
		d = opendir(".");
		number = dirfd(d);
		GIVES(dup2(fd, number), number);
		hold(number, 2000);
		CHECK(closedir(d) == 0);
		FAILS(read(number, b, 4), EBADF);
		AT(fd, 2004);
		child_receives(fd, 2004);
		GIVES(close(fd), 0);
	}
}
