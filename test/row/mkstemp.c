/* SPDX-License-Identifier: MIT */
#include "born.h"

int mkstemp64(char *);

static void row(void)
{
	char name[] = "x.XXXXXX", second[] = "y.XXXXXX", bad[] = "xyz",
	     nowhere[] = "none/x.XXXXXX";

	errno = ROW_MARK;
	born_empty(mkstemp(name));
	CHECK(strcmp(name, "x.XXXXXX") && size_of(name) == 4096);
	born_empty(mkstemp64(second));
	FAILS(mkstemp(bad), EINVAL);
	FAILS(mkstemp(nowhere), ENOENT);
}
