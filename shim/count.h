/* SPDX-License-Identifier: MIT */
/*
 * Floor 1, counters.  Each thread counts in a block of its own, so that no cache line is written by
 * two threads; the blocks are never unmapped and keep their sums when their thread ends and another
 * takes them over.  Doors: count(), count_pass(), count_sum().
 */
#ifndef COUNT_H
#define COUNT_H

#include "ground.h"

enum reason {
#define REASON(name, words) R_##name,
#include "reasons.def"
#undef REASON
	REASONS
};

enum counter {
#define COUNTER(name, key, words) C_##name,
#include "counters.def"
#undef COUNTER
	C_why,			   /* passed to the kernel, by reason */
	C_back = C_why + REASONS,  /* handed back, by reason */
	C_gone = C_back + REASONS, /* let go, by reason */
	COUNTERS = C_gone + REASONS
};

struct ofd;
struct block {
	struct ofd *spare; /* the one that the thread freed last, see ofd_new */
	uint64_t n[COUNTERS];
	struct block *next;
	long tid; /* of the thread that counts here */
	char pad[2048 - 8 * (COUNTERS + 3)];
} __attribute__((aligned(64)));
_Static_assert(sizeof(struct block) == 2048, "two blocks to a page, see count_block");

extern struct block *count_blocks; /* every one, newest first; never shortened */
COLD struct block *count_block(void); /* NULL while the shim is off, retired or without memory */
/* From now on threads get blocks: the first n from `room`, if there is some (image.h). */
void count_on(struct block *room, uint32_t n);
void count_off(void);
void count_reset_in_child(void);
uint64_t count_sum(unsigned counter);
/* That ever counted at the same time; 1 in a program without threads. */
unsigned count_threads(void);

/* The benchmark builds a library that does not count, to see what it costs. */
#ifdef SEEKLESS_UNCOUNTED
#define COUNTS_BY 0
#else
#define COUNTS_BY 1
#endif

HOT void count_in(struct block *b, unsigned counter)
{
	b->n[counter] += COUNTS_BY;
}
HOT void count(unsigned counter)
{
	struct block *b = tls.block;

	if (unlikely(!b) && !(b = count_block()))
		return;
	count_in(b, counter);
}
HOT void count_pass(unsigned kind, unsigned why)
{
	count(kind);
	if (why != R_unseeked) /* what is left of the sum: see count_sum */
		count(C_why + why);
}

#endif
