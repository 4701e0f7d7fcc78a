/* SPDX-License-Identifier: MIT */
#include "row.h"

static const off_t places[] = {
	0,
	1,
	ROW_SIZE,
	0x7fffffff,
	0x80000000,
	1L << 32,
	(1L << 42) - 1024,
	(1L << 44) - 4096,
	(1L << 44) - 4095,
	1L << 62,
	LONG_MAX - 4096,
	LONG_MAX,
	-1,
	-ROW_SIZE,
	LONG_MIN + 1,
	LONG_MIN,
};

/* Every whence from every start: what the kernel does with a twin. */
static void as_the_kernel(int fd, int twin)
{
	for (size_t s = 0; s < sizeof places / sizeof *places; s++)
		for (int whence = -2; whence < 8; whence++)
			for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
				off_t o = places[i];

				SAME(lseek(fd, places[s], SEEK_SET),
				     RAW(SYS_lseek, twin, places[s], SEEK_SET));
				SAME(lseek(fd, o, whence), RAW(SYS_lseek, twin, o, whence));
				SAME(lseek(fd, 0, SEEK_CUR), RAW(SYS_lseek, twin, 0, SEEK_CUR));
			}
}

static void row(void)
{
	char b[8];
	int fd = held("a", 1000), p[2];

	AT(fd, 1004);
	GIVES(lseek(fd, -4, SEEK_CUR), 1000);
	GIVES(lseek(fd, 12, SEEK_CUR), 1012);
	GIVES(read(fd, b, 4), 4);
	CHECK(has(b, 1012, 4));
	GIVES(lseek(fd, 0, SEEK_END), ROW_SIZE);
	GIVES(lseek(fd, -8, SEEK_END), ROW_SIZE - 8);
	GIVES(read(fd, b, 8), 8);
	CHECK(has(b, ROW_SIZE - 8, 8));
	GIVES(read(fd, b, 8), 0);

	/* a failure moves nothing */
	FAILS(lseek(fd, -1, SEEK_SET), EINVAL);
	FAILS(lseek(fd, -ROW_SIZE - 1, SEEK_CUR), EINVAL);
	FAILS(lseek(fd, -ROW_SIZE - 1, SEEK_END), EINVAL);
	FAILS(lseek(fd, 0, 99), EINVAL);
	AT(fd, ROW_SIZE);

	/* past the end: not an error, not stored, nothing to read */
	GIVES(lseek(fd, 100, SEEK_END), ROW_SIZE + 100);
	GIVES(read(fd, b, 4), 0);
	AT(fd, ROW_SIZE + 100);
	CHECK(size_of("a") == ROW_SIZE);

	as_the_kernel(fd, twin_of("a", O_RDWR));
	hold(fd, 64);
	child_receives(fd, 68);

	CHECK(!pipe(p));
	FAILS(lseek(p[0], 0, SEEK_SET), ESPIPE);
	FAILS(lseek(p[1], 0, SEEK_CUR), ESPIPE);
	FAILS(lseek(p[0], 0, 99), EINVAL);
	fd = open("a", O_PATH);
	FAILS(lseek(fd, 0, SEEK_SET), EBADF);
	GIVES(close(fd), 0);
	FAILS(lseek(fd, 0, SEEK_SET), EBADF);
	FAILS(lseek(fd, 0, 99), EBADF);
	FAILS(lseek(-1, 0, SEEK_SET), EBADF);
	FAILS(lseek(1 << 20, 0, SEEK_SET), EBADF);
	FAILS(lseek(INT_MIN, 0, SEEK_SET), EBADF);
}
