/* SPDX-License-Identifier: MIT */
/* The stream keeps its number, which is another file afterwards; libc does the closing and
 * opening. */
#include "row.h"

static FILE *reopen(const char *, const char *, FILE *); /* each program's own way */

static void row(void)
{
	char b[8];
	FILE *f;
	int fd = held("a", 100), copy = dup(fd), number;

	make_file("b", ROW_SIZE);
	CHECK((f = fdopen(fd, "r+")) && fgetc(f) == byte_at(104));
	hold(fd, 200);
	CHECK((f = reopen("b", "r+", f)));
	number = fileno(f);
	CHECK(number == fd);
	AT(number, 0);
	AT(copy, 204);
	hold(number, 300);
	CHECK(fgetc(f) == byte_at(304));
	CHECK(fseek(f, 1000, SEEK_SET) == 0 && fputs("text", f) >= 0 && fflush(f) == 0);
	AT(number, 1004);
	GIVES(lseek(number, -4, SEEK_CUR), 1000);
	GIVES(read(number, b, 4), 4);
	CHECK(!memcmp(b, "text", 4));
	child_receives(number, 1004);
	child_receives(copy, 204);

	/* another mode, the same file; then none at all */
	CHECK((f = reopen("b", "a", f)) && fputs("end", f) >= 0 && fflush(f) == 0);
	AT(fileno(f), ROW_SIZE + 3);
	number = fileno(f);
	errno = 0;
	CHECK(!reopen("none/at/all", "r", f) && errno == ENOENT);
	FAILS(lseek(number, 0, SEEK_CUR), EBADF);
	CHECK(open("a", O_RDWR) == number);
	AT(number, 0);
	hold(number, 400);
	child_receives(number, 404);
	GIVES(close(number), 0);

	/* a held file at the stream's number goes when the stream is opened anew */
	f = fopen("a", "r");
	number = fileno(f);
	GIVES(dup2(copy, number), number);
	hold(copy, 500);
	CHECK((f = reopen("b", "r", f)) && fileno(f) == number);
	AT(number, 0);
	AT(copy, 504);
	CHECK(fgetc(f) == byte_at(0) && fclose(f) == 0);
	child_receives(copy, 504);
}
