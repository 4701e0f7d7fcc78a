/* SPDX-License-Identifier: MIT */
/* dprintf and its kin write to a held descriptor from inside libc. */
#include "row.h"

static int print(int fd, const char *form, ...)
	__attribute__((format(printf, 2, 3))); /* each program's own way */

#ifdef PRINT
/* Every call here has at most two arguments, of the size of a pointer or smaller. */
static int print(int fd, const char *form, ...)
{
	va_list ap;
	long a, b;

	va_start(ap, form);
	a = va_arg(ap, long);
	b = va_arg(ap, long);
	va_end(ap);
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
	return PRINT(fd, form, a, b);
}
#endif

static void row(void)
{
	char b[5000];
	int fd = held("a", 100), copy = dup(fd), p[2];

	CHECK(print(fd, "%d-%s", 42, "x") == 4);
	AT(fd, 108);
	AT(copy, 108);
	GIVES(lseek(fd, -4, SEEK_CUR), 104);
	GIVES(read(fd, b, 8), 8);
	CHECK(!memcmp(b, "42-x", 4) && has(b + 4, 108, 4));
	hold(fd, 200);
	CHECK(print(fd, "%s", "") == 0);
	AT(fd, 204);
	CHECK(print(fd, "%4000d", 7) == 4000); /* more than one buffer */
	AT(fd, 4204);
	child_receives(fd, 4204);
	GIVES(close(fd), 0);
	GIVES(close(copy), 0);

	fd = held_open("b", 50, O_RDWR | O_APPEND);
	CHECK(print(fd, "end%d", 1) == 4);
	AT(fd, ROW_SIZE + 4);
	GIVES(close(fd), 0);
	fd = held("b", 100); /* again and again: seek, print, tell */
	for (int i = 1; i < 100; i++) {
		hold(fd, 400 * i);
		CHECK(print(fd, "%04d", i) == 4);
		AT(fd, 400 * i + 8);
		GIVES(lseek(fd, -4, SEEK_CUR), 400 * i + 4);
		GIVES(read(fd, b, 4), 4);
		CHECK(atoi(strndup(b, 4)) == i);
	}
	GIVES(close(fd), 0);
	fd = held_open("c", 300, O_RDONLY);
	errno = 0;
	CHECK(print(fd, "text") == -1 && errno == EBADF);
	AT(fd, 304);
	errno = 0;
	CHECK(print(-1, "text") == -1 && errno == EBADF);
	CHECK(!pipe(p) && print(p[1], "text") == 4);
	child_receives(fd, 304);
}
