/* SPDX-License-Identifier: MIT */
#include "row.h"

static void row(void)
{
	int fd, number, count = 0;
	DIR *d;

	fd = held("a", 100);
	errno = 0;
	CHECK(!fdopendir(fd) && errno == ENOTDIR); /* refused: still ours */
	AT(fd, 104);
	number = open(".", O_RDONLY | O_DIRECTORY);
	GIVES(lseek(number, 0, SEEK_SET), 0);
	CHECK((d = fdopendir(number)) && dirfd(d) == number);
	while (readdir(d))
		count++;
	CHECK(count == 3); /* two dots and "a" */
	rewinddir(d);
	CHECK(readdir(d));
	CHECK(closedir(d) == 0);
	FAILS(lseek(number, 0, SEEK_CUR), EBADF);
	CHECK(open("a", O_RDWR) == number);
	AT(number, 0);
	hold(number, 300);
	child_receives(number, 304);
	child_receives(fd, 104);
	errno = 0;
	CHECK(!fdopendir(-1) && errno == EBADF);
}
