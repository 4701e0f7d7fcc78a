/* SPDX-License-Identifier: MIT */
/* Writes to a descriptor from inside libc: once to a held one, once to a twin. */
#include "row.h"
#include <execinfo.h>

static void row(void)
{
	void *at[20];
	char b[8192], c[8192];
	int n = backtrace(at, 20), fd = held("a", 100), twin;
	long end;

	make_file("b", ROW_SIZE);
	twin = twin_of("b", O_RDWR);
	CHECK(n > 0 && RAW(SYS_lseek, twin, 104, SEEK_SET) == 104);
	backtrace_symbols_fd(at, n, fd);
	backtrace_symbols_fd(at, n, twin);
	end = kernel_offset(twin);
	CHECK(end > 104 && end < 8192);
	AT(fd, end);
	GIVES(lseek(fd, 104, SEEK_SET), 104);
	GIVES(read(fd, b, end - 104), end - 104);
	CHECK(RAW(SYS_pread64, twin, c, end - 104, 104) == end - 104 &&
	      !memcmp(b, c, end - 104));
	child_receives(fd, end);
}
