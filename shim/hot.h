/* SPDX-License-Identifier: MIT */
/*
 * Floor 2, state: what nearly every call touches, in as few pages as can be.  A system call empties
 * the TLB where the processor has no PCID, so each further page costs 10 to 30 ns afterwards.
 */
#ifndef HOT_H
#define HOT_H

#include "ofd.h"

#define FDTAB_MAX (1 << 20) /* numbers; the memory of the unused ones is never touched */

extern struct hot {
	uint32_t size;		/* 0: the shim is off, or has retired: every number is a stranger */
	uint32_t high;		/* no number at or above was ever tracked */
	uint32_t paused;	/* > 0: nobody takes */
	uint32_t forks, spawns; /* processes being made: ever begun or ended */
	uint32_t forks_open, spawns_open; /* under way */
	uint32_t used_at_start;
	/*
	 * An lseek has gone to the kernel for want of a verdict.  It buys one: the next fstat that the
	 * program makes asks for the file system.  Else who tells once in each of many files (ruby, head)
	 * would never gain.
	 */
	uint32_t wants_verdict;
	int32_t seeks_again; /* > 0: files of this program are seeked more than once */
	struct word free; /* a list of ofds: pointer, and a tag against re-use */
	struct block first_block;
	struct ofd at_start[16]; /* most programs need no more, and no mmap */
	uintptr_t slot[FDTAB_MAX];
} hot;

/* Numbers that threads share, the fields above among them. */
HOT uint32_t hot_get(const uint32_t *n)
{
	return __atomic_load_n(n, __ATOMIC_SEQ_CST);
}
HOT void hot_add(uint32_t *n, int32_t by)
{
	__atomic_add_fetch(n, (uint32_t)by, __ATOMIC_SEQ_CST);
}

#endif
