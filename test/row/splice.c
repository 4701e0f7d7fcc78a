/* SPDX-License-Identifier: MIT */
#include "row.h"

static void row(void)
{
	char b[100];
	int fd = held("a", 100), p[2];
	off_t at = 1000;

	CHECK(!pipe(p));
	GIVES(splice(fd, NULL, p[1], NULL, 60, 0), 60);
	AT(fd, 164);
	GIVES(read(p[0], b, 100), 60);
	CHECK(has(b, 104, 60));
	hold(fd, 200);
	GIVES(splice(fd, &at, p[1], NULL, 60, 0), 60); /* the offset of its own alone */
	CHECK(at == 1060);
	AT(fd, 204);
	GIVES(read(p[0], b, 100), 60);
	CHECK(has(b, 1000, 60));

	fill(b, 4000, 60);
	GIVES(write(p[1], b, 60), 60);
	hold(fd, 300);
	GIVES(splice(p[0], NULL, fd, NULL, 40, 0), 40);
	AT(fd, 344);
	at = 2000;
	GIVES(splice(p[0], NULL, fd, &at, 20, 0), 20);
	AT(fd, 344);
	CHECK(file_has("a", 304, 4000, 40) && file_has("a", 2000, 4040, 20) && at == 2020);
	GIVES(read(fd, b, 4), 4);
	CHECK(has(b, 344, 4));

	GIVES(lseek(fd, 0, SEEK_END), ROW_SIZE);
	GIVES(splice(fd, NULL, p[1], NULL, 60, 0), 0);
	hold(fd, 400);
	FAILS(splice(fd, NULL, fd, NULL, 60, 0), EINVAL);
	FAILS(splice(-1, NULL, p[1], NULL, 60, 0), EBADF);
	at = 0;
	FAILS(splice(p[0], &at, fd, NULL, 60, 0), ESPIPE);
	FAILS(splice(p[0], NULL, fd, NULL, 60, SPLICE_F_NONBLOCK), EAGAIN);
	AT(fd, 404);
	GIVES(splice(fd, NULL, p[1], NULL, 4, 0), 4);
	child_receives(fd, 408);
}
