/* SPDX-License-Identifier: MIT */
#include "row.h"

static void row(void)
{
	static char b[4096];
	int fd = held("a", 256), twin, p[2];
	struct stat st;

	fill(b, 512, sizeof b);
	GIVES(write(fd, b, 100), 100);
	AT(fd, 360);
	CHECK(file_has("a", 260, 512, 100) && file_has("a", 0, 0, 260) &&
	      file_has("a", 360, 360, 1000));
	GIVES(write(fd, b, 0), 0);
	GIVES(write(fd, NULL, 0), 0);
	AT(fd, 360);

	/* past the end: a hole of zeros */
	GIVES(lseek(fd, 1000, SEEK_END), ROW_SIZE + 1000);
	GIVES(write(fd, b, 8), 8);
	AT(fd, ROW_SIZE + 1008);
	CHECK(size_of("a") == ROW_SIZE + 1008 && file_has("a", ROW_SIZE + 1000, 512, 8));
	GIVES(lseek(fd, -16, SEEK_CUR), ROW_SIZE + 992);
	GIVES(read(fd, b, 8), 8);
	CHECK(!memcmp(b, "\0\0\0\0\0\0\0", 8));
	GIVES(lseek(fd, 0, SEEK_END), ROW_SIZE + 1008);

	/* set-user-ID goes at the first byte, not at a count of 0 */
	CHECK(!fchmod(fd, 04700));
	GIVES(write(fd, b, 0), 0);
	CHECK(!fstat(fd, &st) && (st.st_mode & 04000));

	/* bad buffers; how much goes before the edge is the file system's */
	twin = twin_of("a", O_RDWR);
	hold(fd, 16);
	CHECK(RAW(SYS_lseek, twin, 20, SEEK_SET) == 20);
	SAME(write(fd, edge(0), 8), RAW(SYS_write, twin, edge(0), 8));
	SAME(lseek(fd, 0, SEEK_CUR), kernel_offset(twin));
	SAME(write(fd, edge(5), 8), RAW(SYS_write, twin, edge(5), 8));
	SAME(lseek(fd, 0, SEEK_CUR), kernel_offset(twin));
	FAILS(write(fd, (void *)1, 0x7ffff001), EFAULT);
	FAILS(write(fd, b, SIZE_MAX), EFAULT);
	FAILS(write(fd, (void *)-4096, 0), EFAULT);
	SAME(lseek(fd, 0, SEEK_CUR), kernel_offset(twin));
	hold(fd, 1000);
	GIVES(write(fd, "1234", 4), 4);
	child_receives(fd, 1008);

	fd = held_open("b", 40, O_RDONLY);
	FAILS(write(fd, b, 4), EBADF);
	FAILS(write(fd, b, 0), EBADF);
	AT(fd, 44);
	GIVES(close(fd), 0);
	FAILS(write(fd, b, 4), EBADF);
	FAILS(write(-1, b, 4), EBADF);
	fd = open("b", O_PATH);
	FAILS(write(fd, b, 4), EBADF);

	CHECK(!pipe(p));
	FAILS(write(p[0], b, 1), EBADF);
	CHECK(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
	GIVES(close(p[0]), 0);
	FAILS(write(p[1], b, 1), EPIPE);
}
