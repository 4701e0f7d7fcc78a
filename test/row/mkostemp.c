/* SPDX-License-Identifier: MIT */
#include "born.h"

int mkostemp64(char *, int);

static void row(void)
{
	char name[] = "x.XXXXXX", second[] = "y.XXXXXX", third[] = "z.XXXXXX", bad[] = "xyz";
	int fd;

	born_empty(mkostemp(name, O_CLOEXEC));
	CHECK(size_of(name) == 4096);
	born_empty(mkostemp64(second, 0));
	FAILS(mkostemp(bad, 0), EINVAL);

	fd = mkostemp(third, O_APPEND);
	GIVES(write(fd, "0123456789", 10), 10);
	GIVES(lseek(fd, 2, SEEK_SET), 2);
	GIVES(write(fd, "ab", 2), 2);
	AT(fd, 12);
}
