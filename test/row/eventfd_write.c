/* SPDX-License-Identifier: MIT */
#include "row.h"
#include <sys/eventfd.h>

static void row(void)
{
	eventfd_t v = 0x3131313131313131;
	char b[8];
	int fd = held("a", 100), e = eventfd(0, EFD_NONBLOCK);

	GIVES(eventfd_write(fd, v), 0);
	AT(fd, 112);
	GIVES(lseek(fd, -8, SEEK_CUR), 104);
	GIVES(read(fd, b, 8), 8);
	CHECK(!memcmp(b, "11111111", 8));
	GIVES(eventfd_write(e, 7), 0);
	GIVES(eventfd_read(e, &v), 0);
	CHECK(v == 7);
	FAILS(eventfd_write(-1, v), EBADF);
	GIVES(close(fd), 0);
	fd = held_open("b", 300, O_RDONLY);
	FAILS(eventfd_write(fd, v), EBADF);
	child_receives(fd, 304);
}
