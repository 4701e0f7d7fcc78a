/* SPDX-License-Identifier: MIT */
#include "freopen.h"

static FILE *reopen(const char *path, const char *mode, FILE *f)
{
	return freopen64(path, mode, f);
}
