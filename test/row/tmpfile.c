/* SPDX-License-Identifier: MIT */
#include "born.h"

static void one(FILE *(*make)(void))
{
	char b[8];
	FILE *f = make();
	int fd, copy;

	CHECK(f);
	fd = fileno(f);
	AT(fd, 0);
	CHECK(fputs("0123456789", f) >= 0 && fflush(f) == 0);
	AT(fd, 10);
	GIVES(lseek(fd, 2, SEEK_SET), 2);
	GIVES(lseek(fd, 4, SEEK_SET), 4);
	GIVES(read(fd, b, 2), 2);
	CHECK(!memcmp(b, "45", 2) && fseek(f, 0, SEEK_CUR) == 0);
	copy = dup(fd);
	AT(copy, 6);
	CHECK(fseek(f, 1, SEEK_SET) == 0 && fgetc(f) == '1' && fflush(f) == 0);
	AT(copy, 2);
	CHECK(fclose(f) == 0);
	FAILS(lseek(fd, 0, SEEK_CUR), EBADF);
	GIVES(lseek(copy, 5, SEEK_SET), 5);
	GIVES(lseek(copy, 6, SEEK_SET), 6);
	GIVES(read(copy, b, 8), 4);
	CHECK(held("a", 100) == fd);
	child_receives(fd, 104);
	GIVES(close(copy), 0);
	GIVES(close(fd), 0);
}

static void row(void)
{
	one(tmpfile);
	one(tmpfile64);
}
