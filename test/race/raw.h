/* SPDX-License-Identifier: MIT */
/* raw.h - system calls made by our own instruction, which no preloaded library sees. */
#ifndef RACE_RAW_H
#define RACE_RAW_H

#include "bare.h"

/* Like syscall(2): -1 and errno on failure. */
MAYBE long raw(long nr, long a, long b, long c, long d, long e)
{
	long ret = bare_syscall(nr, a, b, c, d, e, 0);

	if (ret < 0 && ret >= -4095) {
		errno = (int)-ret;
		return -1;
	}
	return ret;
}

MAYBE off_t raw_lseek(int fd, off_t off, int whence)
{
	return raw(SYS_lseek, fd, off, whence, 0, 0);
}

MAYBE ssize_t raw_pread(int fd, void *buf, size_t n, off_t off)
{
	return raw(SYS_pread64, fd, (long)buf, (long)n, off, 0);
}

MAYBE ssize_t raw_pwrite(int fd, const void *buf, size_t n, off_t off)
{
	return raw(SYS_pwrite64, fd, (long)buf, (long)n, off, 0);
}

#endif
