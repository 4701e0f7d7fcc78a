/* SPDX-License-Identifier: MIT */
/* The functions that make descriptors: what each returns is at 0 and can be used like any
 * other. */
#include "row.h"

/* A new, empty, writable file. */
__attribute__((unused)) static void born_empty(int fd)
{
	char b[4096];

	CHECK(fd >= 0);
	AT(fd, 0);
	GIVES(read(fd, b, 4), 0);
	fill(b, 0, sizeof b);
	GIVES(write(fd, b, sizeof b), sizeof b);
	AT(fd, sizeof b);
	hold(fd, 100);
	GIVES(lseek(fd, 0, SEEK_END), sizeof b);
	hold(fd, 200);
	GIVES(write(fd, "abcd", 4), 4);
	AT(fd, 208);
	GIVES(lseek(fd, -4, SEEK_CUR), 204);
	GIVES(read(fd, b, 4), 4);
	CHECK(!memcmp(b, "abcd", 4));
	child_receives(fd, 208);
}

/* A file of 64 KiB with the pattern, for reading at least. */
__attribute__((unused)) static void born_full(int fd)
{
	CHECK(fd >= 0);
	AT(fd, 0);
	hold(fd, 100);
	GIVES(lseek(fd, 0, SEEK_END), ROW_SIZE);
	hold(fd, 300);
	child_receives(fd, 304);
	GIVES(close(fd), 0);
}
