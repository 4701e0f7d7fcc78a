/* SPDX-License-Identifier: MIT */
#include "print.h"

static int print(int fd, const char *form, ...)
{
	va_list ap;
	int n;

	va_start(ap, form);
	n = vdprintf(fd, form, ap);
	va_end(ap);
	return n;
}
