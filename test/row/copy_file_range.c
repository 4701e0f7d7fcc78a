/* SPDX-License-Identifier: MIT */
#include "row.h"

static void row(void)
{
	char b[4];
	int in = held("a", 100), out = held("b", 200), p[2];
	off_t x = 1000, y = 2000;

	if (copy_file_range(in, NULL, out, NULL, 0, 0) < 0)
		SKIP("copy_file_range does not work here");
	hold(in, 100);
	hold(out, 200);
	GIVES(copy_file_range(in, NULL, out, NULL, 60, 0), 60);
	AT(in, 164);
	AT(out, 264);
	CHECK(file_has("b", 204, 104, 60));
	hold(in, 300);
	hold(out, 400);
	GIVES(copy_file_range(in, &x, out, NULL, 60, 0), 60);
	AT(in, 304);
	AT(out, 464);
	CHECK(x == 1060 && file_has("b", 404, 1000, 60));
	hold(in, 500);
	hold(out, 600);
	GIVES(copy_file_range(in, NULL, out, &y, 60, 0), 60);
	AT(in, 564);
	AT(out, 604);
	CHECK(y == 2060 && file_has("b", 2000, 504, 60));
	GIVES(copy_file_range(in, &x, out, &y, 60, 0), 60);
	AT(in, 564);
	AT(out, 604);

	hold(in, ROW_SIZE - 12);
	GIVES(copy_file_range(in, NULL, out, NULL, 60, 0), 8);
	AT(in, ROW_SIZE);
	AT(out, 612);
	GIVES(copy_file_range(in, NULL, out, NULL, 60, 0), 0);
	hold(in, 700);
	FAILS(copy_file_range(in, NULL, in, NULL, 60, 0), EINVAL); /* onto itself */
	x = 8000;
	GIVES(copy_file_range(in, &x, in, NULL, 60, 0), 60);
	AT(in, 764);
	FAILS(copy_file_range(in, NULL, out, NULL, 60, 77), EINVAL);
	FAILS(copy_file_range(in, NULL, -1, NULL, 60, 0), EBADF);
	FAILS(copy_file_range(in, (off_t *)1, out, NULL, 60, 0), EFAULT);
	CHECK(!pipe(p));
	FAILS(copy_file_range(in, NULL, p[1], NULL, 60, 0), EINVAL);
	AT(in, 764);
	GIVES(read(in, b, 4), 4);
	hold(in, 900);
	GIVES(copy_file_range(in, NULL, out, NULL, 4, 0), 4);
	child_receives(in, 908);
}
