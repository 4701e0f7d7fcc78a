/* SPDX-License-Identifier: MIT */
/* The stream's number is used by other calls, too: libc moves its offset without asking. */
#include "row.h"

FILE *_IO_fopen(const char *, const char *);

static void one(FILE *(*opens)(const char *, const char *))
{
	char b[8];
	FILE *f, *g;
	int fd, other;

	make_file("a", ROW_SIZE);
	make_file("b", ROW_SIZE);
	f = opens("a", "r+");
	CHECK(f);
	fd = fileno(f);
	hold(fd, 100); /* by its number, before the stream has done anything */
	CHECK(fgetc(f) == byte_at(104) && ftell(f) == 105);
	CHECK(fseek(f, 3000, SEEK_SET) == 0 && fgetc(f) == byte_at(3000));
	CHECK(fflush(f) == 0); /* gives back what it has read too much */
	AT(fd, 3001);
	hold(fd, 200);
	CHECK(fseek(f, 0, SEEK_CUR) == 0 && fread(b, 1, 4, f) == 4);
	CHECK(fseek(f, 5000, SEEK_SET) == 0 && fwrite("text", 1, 4, f) == 4 && fflush(f) == 0);
	AT(fd, 5004);
	GIVES(lseek(fd, -4, SEEK_CUR), 5000);
	GIVES(read(fd, b, 4), 4);
	CHECK(!memcmp(b, "text", 4));

	/* the number closed under the stream, and another file in its place */
	GIVES(close(fd), 0);
	other = open("b", O_RDWR);
	CHECK(other == fd);
	AT(other, 0);
	hold(other, 300);
	CHECK(fwrite("late", 1, 4, f) == 4 && fflush(f) == 0);
	CHECK(kernel_offset(other) == lseek(other, 0, SEEK_CUR));
	CHECK(fclose(f) == 0);
	FAILS(lseek(other, 0, SEEK_CUR), EBADF);

	/* free again: a new file there is new */
	other = open("b", O_RDWR);
	CHECK(other == fd);
	AT(other, 0);
	hold(other, 1000);
	child_receives(other, 1004);
	GIVES(close(other), 0);

	/* dup2 over a stream's number */
	CHECK((f = opens("a", "r")) && (g = opens("b", "w")));
	other = held("c", 400);
	GIVES(dup2(other, fileno(f)), fileno(f));
	hold(other, 500);
	CHECK(fgetc(f) == byte_at(504));
	CHECK(fclose(f) == 0 && fclose(g) == 0);
	errno = 0;
	CHECK(!opens("none", "r") && errno == ENOENT);
}

static void row(void)
{
	one(fopen);
	one(fopen64);
	one(_IO_fopen);
}
