/* SPDX-License-Identifier: MIT */
/* The number is closed inside libc; what is opened next is new. */
#include "row.h"

int _IO_fclose(FILE *);

static void one(int (*closes)(FILE *), int round)
{
	char b[4];
	int fd = held("a", 100 * round), copy = dup(fd), again;
	FILE *f = fdopen(fd, round % 2 ? "r" : "r+");

	CHECK(f);
	if (round % 3 == 0)
		CHECK(fgetc(f) == byte_at(100 * round + 4) &&
		      fseek(f, 100 * round + 4, SEEK_SET) == 0 && fflush(f) == 0);
	CHECK(closes(f) == 0);
	FAILS(lseek(fd, 0, SEEK_CUR), EBADF);
	FAILS(read(fd, b, 4), EBADF);
	FAILS(close(fd), EBADF);
	AT(copy, 100 * round + 4);
	again = open("a", O_RDWR);
	CHECK(again == fd);
	AT(again, 0);
	hold(again, 4000);
	GIVES(write(again, "abcd", 4), 4);
	AT(copy, 100 * round + 4);
	child_receives(copy, 100 * round + 4);
	child_receives(again, 4008);
	GIVES(close(copy), 0);
	GIVES(close(again), 0);
}

static void row(void)
{
	FILE *f;
	int fd;

	for (int i = 0; i < 4; i++) {
		one(fclose, i);
		one(_IO_fclose, i);
	}
	/* its number is gone already, or somebody else's */
	f = fopen("a", "r");
	fd = fileno(f);
	GIVES(close(fd), 0);
	errno = 0;
	CHECK(fclose(f) == EOF && errno == EBADF);
	f = fopen("a", "r");
	fd = fileno(f);
	GIVES(close(fd), 0);
	CHECK(held("b", 100) == fd);
	CHECK(fclose(f) == 0); /* takes ours along */
	FAILS(lseek(fd, 0, SEEK_CUR), EBADF);
	CHECK(open("b", O_RDONLY) == fd);
	AT(fd, 0);
}
