/* SPDX-License-Identifier: MIT */
#include "row.h"

static void row(void)
{
	char b[100];
	int in = held("a", 100), out = held("b", 200), p[2];
	off_t at = 1000;

	GIVES(sendfile(out, in, NULL, 60), 60); /* both move */
	AT(in, 164);
	AT(out, 264);
	CHECK(file_has("b", 204, 104, 60) && file_has("b", 264, 264, 100));
	GIVES(read(in, b, 4), 4);
	CHECK(has(b, 164, 4));

	hold(in, 300);
	hold(out, 400);
	GIVES(sendfile64(out, in, &at, 60), 60); /* the target alone */
	CHECK(at == 1060);
	AT(in, 304);
	AT(out, 464);
	CHECK(file_has("b", 404, 1000, 60));

	hold(in, ROW_SIZE - 12); /* short at the end */
	GIVES(sendfile(out, in, NULL, 60), 8);
	AT(in, ROW_SIZE);
	AT(out, 472);
	GIVES(sendfile(out, in, NULL, 60), 0);
	hold(in, 100);
	GIVES(sendfile(out, in, NULL, 0), 0);
	AT(in, 104);

	CHECK(!pipe(p));
	GIVES(sendfile(p[1], in, NULL, 60), 60);
	AT(in, 164);
	GIVES(read(p[0], b, 100), 60);
	CHECK(has(b, 104, 60));
	FAILS(sendfile(out, -1, NULL, 4), EBADF);
	FAILS(sendfile(-1, in, NULL, 4), EBADF);
	at = -1;
	FAILS(sendfile(out, in, &at, 4), EINVAL);
	FAILS(sendfile(out, in, (off_t *)1, 4), EFAULT);
	FAILS(sendfile(out, p[0], NULL, 4), EINVAL);
	GIVES(close(out), 0);
	out = held_open("b", 10, O_RDWR | O_APPEND);
	FAILS(sendfile(out, in, NULL, 4), EINVAL);
	AT(out, 14);
	AT(in, 164);
	hold(in, 500);
	child_receives(in, 504);
	child_receives(out, 14);
}
