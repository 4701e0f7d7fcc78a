/* SPDX-License-Identifier: MIT */
/* No row of the table, which has only what must be wrapped: a number that is learnt from a
 * stream. */
#define ROW_TAKES_NONE
#include "row.h"

static void row(void)
{
	char b[4];
	FILE *f;

	make_file("a", ROW_SIZE);
	CHECK((f = fopen("a", "r+")));
	for (int i = 1; i < 20; i++) {
		hold(fileno(f), 100 * i);
		GIVES(write(fileno_unlocked(f), "abcd", 4), 4);
		CHECK(fseek(f, 50 * i, SEEK_SET) == 0 && ftell(f) == 50 * i);
		CHECK(fread(b, 1, 4, f) == 4 && fflush(f) == 0);
		AT(fileno(f), 50 * i + 4);
		CHECK(kernel_offset(fileno(f)) == 50 * i + 4);
	}
	hold(fileno(f), 6000);
	child_receives(fileno(f), 6004);
	CHECK(fclose(f) == 0);
}
