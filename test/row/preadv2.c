/* SPDX-License-Identifier: MIT */
/* At -1 it reads at the offset and moves it; anywhere else it leaves the offset alone. */
#include "row.h"

ssize_t preadv64v2(int, const struct iovec *, int, off_t, int);

static void row(void)
{
	char x[10], y[20];
	struct iovec two[2] = {{x, 10}, {y, 20}}, edges[2] = {{x, 10}, {edge(0), 8}};
	int fd = held("a", 256), twin = twin_of("a", O_RDWR), p[2];
	const int flags[] = {0,	   RWF_HIPRI, RWF_DSYNC, RWF_SYNC, RWF_NOWAIT, RWF_APPEND,
			     0x20, 0x40,      0x80,	 0x100,	   1 << 30};

	GIVES(preadv2(fd, two, 2, -1, 0), 30);
	CHECK(has(x, 260, 10) && has(y, 270, 20));
	AT(fd, 290);
	GIVES(preadv2(fd, two, 2, 1000, 0), 30);
	CHECK(has(x, 1000, 10));
	AT(fd, 290);
	GIVES(preadv64v2(fd, two, 2, -1, 0), 30);
	AT(fd, 320);
	GIVES(preadv2(fd, edges, 2, -1, 0), 10);
	AT(fd, 330);
	GIVES(preadv2(fd, two, 0, -1, 0), 0);
	FAILS(preadv2(fd, two, -1, -1, 0), EINVAL);
	FAILS(preadv2(fd, two, 2, -2, 0), EINVAL);
	FAILS(preadv2(-1, two, 2, -1, 0), EBADF);
	AT(fd, 330);
	child_receives(fd, 330);

	/* each flag as the kernel takes it, on a description that is ours again each time */
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
		GIVES(close(fd), 0);
		fd = held("a", 100 + 4 * i);
		CHECK(RAW(SYS_lseek, twin, 104 + 4 * i, SEEK_SET) == (long)(104 + 4 * i));
		SAME(preadv2(fd, two, 2, -1, flags[i]),
		     RAW(SYS_preadv2, twin, two, 2, -1, -1, flags[i]));
		SAME(lseek(fd, 0, SEEK_CUR), kernel_offset(twin));
	}
	CHECK(!pipe(p));
	GIVES(write(p[1], "abcd", 4), 4);
	GIVES(preadv2(p[0], two, 2, -1, 0), 4);
	FAILS(preadv2(p[0], two, 2, 0, 0), ESPIPE);
}
