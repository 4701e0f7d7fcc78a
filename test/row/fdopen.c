/* SPDX-License-Identifier: MIT */
/* A held descriptor becomes a stream. What libc does to the offset inside is done to a twin as
 * well. */
#include "row.h"

FILE *_IO_fdopen(int, const char *);

static const char *const modes[] = {"r", "r+", "w", "w+", "a", "a+", "re"};

static void one(const char *mode, FILE *(*adopt)(int, const char *))
{
	char b[4] = "", c[4] = "";
	int fd = held("a", 100), copy = dup(fd), twin;
	FILE *f, *g;

	make_file("b", ROW_SIZE);
	twin = twin_of("b", O_RDWR);
	CHECK(RAW(SYS_lseek, twin, 104, SEEK_SET) == 104);
	errno = ROW_MARK;
	CHECK((f = adopt(fd, mode)) && fileno(f) == fd && (g = fdopen(twin, mode)));
	SAME(lseek(copy, 0, SEEK_CUR), kernel_offset(twin));
	SAME(fcntl(fd, F_GETFL), RAW(SYS_fcntl, twin, F_GETFL));
	CHECK(fread(b, 1, 4, f) == fread(c, 1, 4, g) && !memcmp(b, c, 4));
	SAME(lseek(copy, 0, SEEK_CUR), kernel_offset(twin));
	CHECK(fseek(f, 2000, SEEK_SET) == fseek(g, 2000, SEEK_SET) && ftell(f) == ftell(g));
	CHECK(fwrite("text", 1, 4, f) == fwrite("text", 1, 4, g) && fflush(f) == fflush(g) &&
	      ftell(f) == ftell(g));
	SAME(lseek(copy, 0, SEEK_CUR), kernel_offset(twin));
	CHECK(size_of("a") == size_of("b"));
	SAME(lseek(copy, 3000, SEEK_SET), RAW(SYS_lseek, twin, 3000, SEEK_SET));
	SAME(write(copy, "1234", 4), RAW(SYS_write, twin, "1234", 4));
	SAME(lseek(copy, 0, SEEK_CUR), kernel_offset(twin));
	CHECK(fclose(f) == 0 && fclose(g) == 0);
	FAILS(read(fd, b, 4), EBADF);
	child_receives(copy, lseek(copy, 50, SEEK_SET));
	GIVES(close(copy), 0);
}

static void row(void)
{
	char b[4];
	int fd, copy;

	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		one(modes[i], fdopen);
		one(modes[i], _IO_fdopen);
	}
	/* refused: nothing changes */
	fd = held_open("c", 100, O_RDONLY);
	copy = dup(fd);
	errno = 0;
	CHECK(!fdopen(fd, "w") && errno == EINVAL);
	errno = 0;
	CHECK(!fdopen(fd, "zz") && errno == EINVAL);
	errno = 0;
	CHECK(!fdopen(-1, "r") && errno == EBADF);
	AT(fd, 104);
	GIVES(read(copy, b, 4), 4);
	CHECK(has(b, 104, 4));
	child_receives(fd, 108);
}
