/* SPDX-License-Identifier: MIT */
#include "print.h"

int __dprintf_chk(int, int, const char *, ...);

/* Every call there has at most two arguments, of the size of a pointer or smaller. */
static int print(int fd, const char *form, ...)
{
	va_list ap;
	long a, b;

	va_start(ap, form);
	a = va_arg(ap, long);
	b = va_arg(ap, long);
	va_end(ap);
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
	return __dprintf_chk(fd, 1, form, a, b);
}
