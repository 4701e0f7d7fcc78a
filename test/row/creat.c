/* SPDX-License-Identifier: MIT */
#include "born.h"

int creat64(const char *, mode_t);

static void row(void)
{
	char b[4];
	int fd, reader;

	make_file("a", ROW_SIZE);
	fd = creat("a", 0600); /* empties it */
	CHECK(fd >= 0 && size_of("a") == 0);
	AT(fd, 0);
	FAILS(read(fd, b, 4), EBADF);
	GIVES(lseek(fd, 100, SEEK_SET), 100);
	GIVES(lseek(fd, 200, SEEK_SET), 200);
	GIVES(write(fd, "abcd", 4), 4);
	AT(fd, 204);
	GIVES(lseek(fd, 0, SEEK_END), 204);
	reader = held("b", 300);
	CHECK((fd = creat64("b", 0600)) >= 0); /* under the feet of another */
	AT(reader, 304);
	GIVES(read(reader, b, 4), 0);
	GIVES(lseek(fd, 302, SEEK_SET), 302);
	GIVES(lseek(fd, 304, SEEK_SET), 304);
	GIVES(write(fd, "efgh", 4), 4);
	GIVES(read(reader, b, 4), 4);
	CHECK(!memcmp(b, "efgh", 4));
	FAILS(creat("a/b", 0600), ENOTDIR);
}
