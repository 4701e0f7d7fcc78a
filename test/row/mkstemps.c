/* SPDX-License-Identifier: MIT */
#include "born.h"

int mkstemps64(char *, int);

static void row(void)
{
	char name[] = "x.XXXXXX.end", second[] = "y.XXXXXX.end", bad[] = "x.XXXXXX.end";

	born_empty(mkstemps(name, 4));
	CHECK(size_of(name) == 4096 && !strcmp(name + 8, ".end"));
	born_empty(mkstemps64(second, 4));
	FAILS(mkstemps(bad, 3), EINVAL);
}
