/* SPDX-License-Identifier: MIT */
/* The numbers that are open, as far as we know. */
#ifndef SEEKLESS_DIFF_NUMBERS_H
#define SEEKLESS_DIFF_NUMBERS_H

#include "blocks.h"

enum { MOST_OPEN = 64 };

static struct numbers {
	int open[MOST_OPEN], count, last;
} known;

static inline void forget(int fd)
{
	for (int i = 0; i < known.count; i++)
		if (known.open[i] == fd)
			known.open[i--] = known.open[--known.count];
}

static inline void learn(long fd)
{
	forget((int)fd);
	if (fd <= 2 || known.count == MOST_OPEN)
		return;
	known.open[known.count++] = (int)fd;
	known.last = (int)fd;
}

/* By bare calls, after one that has changed many, or those of libc's own. */
static inline void revise(void)
{
	int last = known.last, high = 0;

	for (int i = 0; i < known.count; i++)
		if (known.open[i] >= LOW && raw(SYS_fcntl, known.open[i], F_GETFD, 0, 0) >= 0)
			known.open[high++] = known.open[i];
	known.count = high;
	for (int fd = 3; fd < LOW; fd++)
		if (raw(SYS_fcntl, fd, F_GETFD, 0, 0) >= 0)
			learn(fd);
	known.last = last;
}

#endif
