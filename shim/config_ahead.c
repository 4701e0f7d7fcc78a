/* SPDX-License-Identifier: MIT */
/* Floor 1: what SEEKLESS_READAHEAD says. */
#include "config.h"
#include <stdlib.h>
#include <string.h>

#define LEAST (16L << 10)
#define MOST (64L << 20)

/* A number of bytes, with K or M behind it or nothing; 0: nonsense. */
static long bytes_of(const char *value)
{
	char *end;
	long n = *value >= '0' && *value <= '9' ? strtol(value, &end, 10) : 0;
	int shift;

	if (n <= 0 || n > MOST)
		return 0;
	shift = *end == 'K' ? 10 : *end == 'M' ? 20 : 0;
	return end[shift != 0] ? 0 : n << shift;
}

bool config_ahead(const char *value, uint64_t *ahead)
{
	long n = bytes_of(value);

	*ahead = 0;
	if (!strcmp(value, "off") || !strcmp(value, "0"))
		return true;
	if (!strcmp(value, "auto"))
		*ahead = AHEAD_AUTO;
	else if (n >= LEAST && n <= MOST)
		*ahead = (uint64_t)n;
	return *ahead;
}
