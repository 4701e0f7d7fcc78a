/* SPDX-License-Identifier: MIT */
/* say.h - programs that print what each call gave, so that bare and preloaded can be compared. */
#ifndef SEEKLESS_TEST_FAULT_SAY_H
#define SEEKLESS_TEST_FAULT_SAY_H

#include "test.h"
#include "bare.h"
#include <sys/syscall.h>

enum { NOBODYS = 7777 }; /* an errno that nobody sets */

static int say_to = 1;
#define SAY(...) say_line(snprintf(line, sizeof(line), __VA_ARGS__))
static char line[200];

/* At once, and past the library: children print, too. */
static void say_line(int n)
{
	bare_syscall(SYS_write, say_to, (long)line, n, 0, 0, 0);
}

static long said(const char *call, long r)
{
	int e = errno;

	if (r < 0)
		SAY("%s = %ld, errno %d\n", call, r, e);
	else
		SAY("%s = %ld%s\n", call, r, e == NOBODYS ? "" : ", ERRNO CHANGED");
	return r;
}
#define SAID(call) (errno = NOBODYS, said(#call, (long)(call)))
/* Some leave any errno behind where they succeed. */
#define GAVE(call) (errno = NOBODYS, gave(#call, (long)(call)))
TEST_UNUSED static long gave(const char *call, long r)
{
	int e = errno;

	errno = NOBODYS;
	if (r < 0)
		errno = e;
	return said(call, r);
}

#endif
