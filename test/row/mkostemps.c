/* SPDX-License-Identifier: MIT */
#include "born.h"

int mkostemps64(char *, int, int);

static void row(void)
{
	char name[] = "x.XXXXXX.end", second[] = "y.XXXXXX.end", third[] = "z.XXXXXX.end",
	     bad[] = "x.XXXXXX.end";
	int fd;

	born_empty(mkostemps(name, 4, O_CLOEXEC));
	CHECK(size_of(name) == 4096);
	born_empty(mkostemps64(second, 4, 0));
	FAILS(mkostemps(bad, 3, 0), EINVAL);

	fd = mkostemps(third, 4, O_APPEND);
	GIVES(write(fd, "0123456789", 10), 10);
	GIVES(lseek(fd, 2, SEEK_SET), 2);
	GIVES(write(fd, "ab", 2), 2);
	AT(fd, 12);
}
