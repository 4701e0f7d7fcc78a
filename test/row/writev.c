/* SPDX-License-Identifier: MIT */
#include "row.h"

static void row(void)
{
	char x[10], y[20];
	struct iovec v[1025], two[2] = {{x, 10}, {y, 20}}, edges[2] = {{x, 10}, {edge(0), 8}};
	int fd = held("a", 256), twin, p[2];

	fill(x, 512, 10);
	fill(y, 522, 20);
	GIVES(writev(fd, two, 2), 30);
	AT(fd, 290);
	CHECK(file_has("a", 260, 512, 30) && file_has("a", 290, 290, 100));
	GIVES(lseek(fd, 5, SEEK_END), ROW_SIZE + 5);
	GIVES(writev(fd, two, 2), 30);
	CHECK(size_of("a") == ROW_SIZE + 35);
	AT(fd, ROW_SIZE + 35);

	hold(fd, 100);
	GIVES(writev(fd, two, 0), 0);
	GIVES(writev(fd, NULL, 0), 0);
	FAILS(writev(fd, two, -1), EINVAL);
	for (int i = 0; i < 1025; i++)
		v[i] = (struct iovec){x, 0};
	GIVES(writev(fd, v, 1024), 0);
	FAILS(writev(fd, v, 1025), EINVAL);
	v[0].iov_len = SIZE_MAX;
	FAILS(writev(fd, v, 1), EINVAL);
	FAILS(writev(fd, (void *)1, 2), EFAULT);
	AT(fd, 104);

	twin = twin_of("a", O_RDWR); /* what goes before a bad part is the file system's */
	CHECK(RAW(SYS_lseek, twin, 104, SEEK_SET) == 104);
	SAME(writev(fd, edges, 2), RAW(SYS_writev, twin, edges, 2));
	SAME(lseek(fd, 0, SEEK_CUR), kernel_offset(twin));
	edges[0].iov_base = edge(3);
	SAME(writev(fd, edges, 2), RAW(SYS_writev, twin, edges, 2));
	edges[0] = (struct iovec){edge(0), 4};
	SAME(writev(fd, edges, 2), RAW(SYS_writev, twin, edges, 2));
	SAME(lseek(fd, 0, SEEK_CUR), kernel_offset(twin));
	hold(fd, 1000);
	GIVES(writev(fd, two, 1), 10);
	child_receives(fd, 1014);

	fd = held_open("b", 8, O_RDONLY);
	FAILS(writev(fd, two, 2), EBADF);
	FAILS(writev(fd, two, 0), EBADF);
	FAILS(writev(-1, two, 2), EBADF);
	AT(fd, 12);
	CHECK(!pipe(p));
	GIVES(writev(p[1], two, 2), 30);
	GIVES(read(p[0], y, 20), 20);
	CHECK(has(y, 512, 20));
}
