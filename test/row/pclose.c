/* SPDX-License-Identifier: MIT */
/* Its number is closed inside libc: what is opened next is new. */
#include "row.h"

static void row(void)
{
	char b[4];

	make_file("a", ROW_SIZE);
	for (int i = 0; i < 5; i++) {
		FILE *f = popen("cat >/dev/null", i % 2 ? "w" : "we");
		int number = fileno(f), fd, below = -1;

		CHECK(f && number >= 0);
		CHECK(fputs("text", f) >= 0 && pclose(f) == 0);
		FAILS(lseek(number, 0, SEEK_CUR), EBADF);
		fd = open("a", O_RDWR);
		if (fd < number) { /* the pipe's other end had that */
			below = fd;
			fd = open("a", O_RDWR);
		}
		CHECK(fd == number);
		AT(fd, 0);
		hold(fd, 100 * i);
		GIVES(read(fd, b, 4), 4);
		CHECK(has(b, 100 * i + 4, 4));
		GIVES(close(fd), 0);
		FAILS(read(fd, b, 4), EBADF);
		(close)(below);
	}
}
