/* SPDX-License-Identifier: MIT */
#include "stat.h"

static int stat_of(int fd, struct stat *st)
{
	struct statx x = {0};
	int result = statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &x);

	st->st_size = (off_t)x.stx_size;
	st->st_mode = x.stx_mode;
	return result;
}
