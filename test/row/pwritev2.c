/* SPDX-License-Identifier: MIT */
#include "row.h"

ssize_t pwritev64v2(int, const struct iovec *, int, off_t, int);

static void row(void)
{
	char x[10], y[20];
	struct iovec two[2] = {{x, 10}, {y, 20}};
	int fd = held("a", 256), twin, p[2];
	const int flags[] = {0,	   RWF_HIPRI, RWF_DSYNC, RWF_SYNC, RWF_NOWAIT, RWF_APPEND,
			     0x20, 0x40,      0x80,	 0x100,	   1 << 30};

	fill(x, 512, 10);
	fill(y, 522, 20);
	GIVES(pwritev2(fd, two, 2, -1, 0), 30);
	AT(fd, 290);
	CHECK(file_has("a", 260, 512, 30));
	GIVES(pwritev2(fd, two, 2, 1000, 0), 30);
	CHECK(file_has("a", 1000, 512, 30));
	AT(fd, 290);
	GIVES(pwritev64v2(fd, two, 1, -1, 0), 10);
	AT(fd, 300);
	FAILS(pwritev2(fd, two, -1, -1, 0), EINVAL);
	FAILS(pwritev2(-1, two, 2, -1, 0), EBADF);
	AT(fd, 300);
	child_receives(fd, 300);

	/* each flag as the kernel takes it, with O_APPEND and without */
	for (size_t i = 0; i < 2 * sizeof flags / sizeof *flags; i++) {
		int flag = flags[i / 2], append = i % 2 ? O_APPEND : 0;

		GIVES(close(fd), 0);
		make_file("b", ROW_SIZE);
		fd = held_open("a", 100, O_RDWR | append);
		twin = twin_of("b", O_RDWR | append);
		CHECK(RAW(SYS_lseek, twin, 104, SEEK_SET) == 104);
		SAME(pwritev2(fd, two, 2, -1, flag),
		     RAW(SYS_pwritev2, twin, two, 2, -1, -1, flag));
		SAME(lseek(fd, 0, SEEK_CUR), kernel_offset(twin));
		CHECK(size_of("a") == size_of("b"));
		SAME(pwritev2(fd, two, 1, 50, flag),
		     RAW(SYS_pwritev2, twin, two, 1, 50, 0, flag));
		SAME(write(fd, x, 4), RAW(SYS_write, twin, x, 4));
		SAME(lseek(fd, 0, SEEK_CUR), kernel_offset(twin));
		RAW(SYS_close, twin);
	}
	CHECK(!pipe(p));
	GIVES(pwritev2(p[1], two, 2, -1, 0), 30);
	FAILS(pwritev2(p[1], two, 2, 0, 0), ESPIPE);
}
