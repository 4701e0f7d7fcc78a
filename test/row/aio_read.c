/* SPDX-License-Identifier: MIT */
/* No row of the table: asynchronous I/O has offsets of its own, and a thread inside libc that
 * uses them. */
#include "row.h"
#include <aio.h>

static ssize_t done(struct aiocb *a)
{
	const struct aiocb *list[] = {a};

	while (aio_error(a) == EINPROGRESS)
		aio_suspend(list, 1, NULL);
	return aio_return(a);
}

static void row(void)
{
	char b[100], c[4];
	int fd = held("a", 100);
	struct aiocb a = {
		.aio_fildes = fd, .aio_buf = b, .aio_nbytes = 100, .aio_offset = 5000};

	for (int i = 0; i < 10; i++) {
		GIVES(aio_read(&a) == 0 ? (errno = ROW_MARK, 0) : 1, 0);
		CHECK(done(&a) == 100 && has(b, 5000, 100));
		AT(fd, 104);
		hold(fd, 100);
	}
	fill(b, 7000, 100);
	CHECK(aio_write(&a) == 0 && done(&a) == 100);
	AT(fd, 104);
	CHECK(file_has("a", 5000, 7000, 100));
	CHECK(aio_fsync(O_SYNC, &a) == 0 && done(&a) == 0);
	GIVES(read(fd, c, 4), 4);
	CHECK(has(c, 104, 4));
	hold(fd, 300);
	child_receives(fd, 304);
}
