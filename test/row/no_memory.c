/* SPDX-License-Identifier: MIT */
/* No row of the table: no memory to be had.  More descriptions than the library has room for at
 * its start: those without any are the kernel's. */
#include "row.h"
#include <sys/resource.h>

static void row(void)
{
	enum { MANY = 40 };
	struct rlimit was, none;
	int fd = held("a", 100), more[MANY];

	CHECK(!getrlimit(RLIMIT_AS, &was));
	none = was;
	none.rlim_cur = 0;
	CHECK(!setrlimit(RLIMIT_AS, &none));
	if (mmap(NULL, 65536, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
		SKIP("the limit on memory does nothing here (an emulator)");
	for (int i = 0; i < MANY; i++) {
		CHECK((more[i] = open("a", O_RDWR)) >= 0);
		hold(more[i], 200 + 10 * i);
	}
	CHECK(!setrlimit(RLIMIT_AS, &was));
	AT(fd, 104);
	for (int i = 0; i < MANY; i++) {
		AT(more[i], 204 + 10 * i);
		hold(more[i], 1000 + 10 * i);
		GIVES(write(more[i], "abcd", 4), 4);
		AT(more[i], 1008 + 10 * i);
		GIVES(close(more[i]), 0);
	}
	CHECK(row_is_early || counter("gone.memory") != 0);
	child_receives(fd, 104);
}
