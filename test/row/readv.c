/* SPDX-License-Identifier: MIT */
#include "row.h"

static void row(void)
{
	char x[10], y[20];
	struct iovec v[1025], two[2] = {{x, 10}, {y, 20}}, edges[2] = {{x, 10}, {edge(0), 8}};
	int fd = held("a", 256), p[2];

	GIVES(readv(fd, two, 2), 30);
	CHECK(has(x, 260, 10) && has(y, 270, 20));
	AT(fd, 290);
	GIVES(lseek(fd, -15, SEEK_END), ROW_SIZE - 15);
	GIVES(readv(fd, two, 2), 15); /* short, in the second part */
	CHECK(has(x, ROW_SIZE - 15, 10) && has(y, ROW_SIZE - 5, 5));
	GIVES(readv(fd, two, 2), 0);
	AT(fd, ROW_SIZE);

	hold(fd, 100);
	GIVES(readv(fd, two, 0), 0);
	GIVES(readv(fd, NULL, 0), 0);
	FAILS(readv(fd, two, -1), EINVAL);
	for (int i = 0; i < 1025; i++)
		v[i] = (struct iovec){x, 0};
	GIVES(readv(fd, v, 1024), 0);
	FAILS(readv(fd, v, 1025), EINVAL);
	v[0].iov_len = SIZE_MAX; /* negative as a signed number */
	FAILS(readv(fd, v, 1), EINVAL);
	FAILS(readv(fd, (void *)1, 2), EFAULT);
	AT(fd, 104);

	GIVES(readv(fd, edges, 2), 10); /* the good part counts */
	AT(fd, 114);
	edges[0].iov_base = edge(3);
	GIVES(readv(fd, edges, 2), 3);
	edges[0] = (struct iovec){edge(0), 4};
	FAILS(readv(fd, edges, 2), EFAULT);
	AT(fd, 117);
	child_receives(fd, 117);

	fd = open("a", O_WRONLY);
	GIVES(lseek(fd, 7, SEEK_SET), 7);
	FAILS(readv(fd, two, 2), EBADF);
	FAILS(readv(fd, two, 0), EBADF);
	FAILS(readv(-1, two, 2), EBADF);
	AT(fd, 7);
	CHECK(!pipe(p));
	GIVES(write(p[1], "0123456789abcdef", 16), 16);
	GIVES(readv(p[0], two, 2), 16);
}
