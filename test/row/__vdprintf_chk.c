/* SPDX-License-Identifier: MIT */
#include "print.h"

int __vdprintf_chk(int, int, const char *, va_list);

static int print(int fd, const char *form, ...)
{
	va_list ap;
	int n;

	va_start(ap, form);
	n = __vdprintf_chk(fd, 1, form, ap);
	va_end(ap);
	return n;
}
