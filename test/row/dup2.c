/* SPDX-License-Identifier: MIT */
#include "row.h"

static void row(void)
{
	char b[4];
	int fd = held("a", 100), other = held("b", 200), copy = dup(other), p[2];

	GIVES(dup2(fd, fd), fd); /* nothing at all */
	AT(fd, 104);

	GIVES(dup2(fd, 300), 300); /* onto a free number */
	AT(300, 104);
	GIVES(read(300, b, 4), 4);
	AT(fd, 108);

	GIVES(dup2(fd, other),
	      other); /* onto an open one: its description lives on in the copy */
	AT(other, 108);
	AT(copy, 204);
	GIVES(read(copy, b, 4), 4);
	CHECK(has(b, 204, 4));
	GIVES(lseek(other, 500, SEEK_SET), 500);
	AT(fd, 500);
	AT(300, 500);
	AT(copy, 208);

	/* a failure closes nothing */
	FAILS(dup2(-1, fd), EBADF);
	FAILS(dup2(1 << 20, fd), EBADF);
	FAILS(dup2(fd, -1), EBADF);
	FAILS(dup2(fd, INT_MAX), EBADF);
	FAILS(dup2(444, 444), EBADF);
	AT(fd, 500);
	GIVES(read(fd, b, 4), 4);
	CHECK(has(b, 500, 4));

	/* a pipe over a file, and a file over a pipe */
	CHECK(!pipe(p));
	GIVES(dup2(p[0], 300), 300);
	FAILS(lseek(300, 0, SEEK_SET), ESPIPE);
	GIVES(write(p[1], "pipe", 4), 4);
	GIVES(read(300, b, 4), 4);
	CHECK(!memcmp(b, "pipe", 4));
	GIVES(dup2(fd, p[0]), p[0]);
	AT(p[0], 504);
	hold(p[0], 600);
	AT(fd, 604);

	/* over a number whose birth nobody saw, and such a one over a number of ours */
	p[1] = twin_of("b", O_RDWR);
	CHECK(RAW(SYS_lseek, p[1], 700, SEEK_SET) == 700);
	GIVES(dup2(p[1], 300), 300);
	AT(300, 700);
	hold(300, 800);
	AT(p[1], 804);
	CHECK(kernel_offset(p[1]) == 804);
	GIVES(dup2(fd, p[1]), p[1]);
	AT(p[1], 604);
	AT(300, 804);

	/* the last number of a description goes this way: the rest is as new */
	GIVES(dup2(copy, fd), fd);
	GIVES(dup2(copy, p[1]), p[1]);
	AT(fd, 208);
	AT(p[1], 208);
	hold(p[1], 900);
	child_receives(fd, 904);
	child_receives(other, 604);
	AT(copy, 908);
}
