/* SPDX-License-Identifier: MIT */
/*
 * Does a pread disturb the kernel's own reading ahead?  It might need reads without seeks to see that they
 * follow each other.  So a cold file is scanned forward by read, by lseek+read, and by lseek+read
 * preloaded, which is pread; and now and then it is counted how much of the file is in the cache.
 */
#include "seqscan.h"
#include <stdio.h>
#include <string.h>

int kernel_main(const struct scan *scan, int rounds, const char *library)
{
	(void)scan;
	(void)rounds;
	(void)library;
	return 0;
}
