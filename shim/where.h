/* SPDX-License-Identifier: MIT */
/* Floor 1: where a seek lands.  Pure arithmetic, no I/O; test/unit/where.c has the table. */
#ifndef WHERE_H
#define WHERE_H

#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * The place that lseek(off, whence) names with the description at `at` and the file `size` bytes
 * long.  False for a whence that only the kernel can follow.  The sum wraps as the kernel's does: a
 * result below 0 is for the kernel to refuse (EINVAL on Linux, also where POSIX says EOVERFLOW).
 */
static inline bool where_lands(int64_t at, int64_t size, int64_t off, int whence, int64_t *target)
{
	int64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? at : size;

	if (whence != SEEK_SET && whence != SEEK_CUR && whence != SEEK_END)
		return false;
	*target = (int64_t)((uint64_t)base + (uint64_t)off);
	return true;
}

#endif
