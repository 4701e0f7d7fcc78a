/* SPDX-License-Identifier: MIT */
/* Eight bytes from any descriptor, read inside libc. */
#include "row.h"
#include <sys/eventfd.h>

static void row(void)
{
	eventfd_t v = 0;
	int fd = held("a", 100), e = eventfd(5, EFD_NONBLOCK);

	GIVES(eventfd_read(fd, &v), 0);
	CHECK(has(&v, 104, 8));
	AT(fd, 112);
	hold(fd, ROW_SIZE - 8); /* four are left: that is a failure, and they are gone */
	CHECK(eventfd_read(fd, &v) == -1);
	AT(fd, ROW_SIZE);
	GIVES(eventfd_read(e, &v), 0);
	CHECK(v == 5);
	FAILS(eventfd_read(e, &v), EAGAIN);
	FAILS(eventfd_read(-1, &v), EBADF);
	GIVES(lseek(e, 0, SEEK_SET) == 0 || errno == ESPIPE ? (errno = ROW_MARK, 0) : 1, 0);
	hold(fd, 200);
	GIVES(eventfd_read(fd, &v), 0);
	child_receives(fd, 212);
}
