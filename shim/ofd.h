/* SPDX-License-Identifier: MIT */
/*
 * Floor 2, state: open file descriptions, and who holds the offset of each.
 *
 *     KERNEL --- an lseek, as soon as it pays --------> OURS        seek.c
 *     OURS   --- a call that needs the true f_pos ----> KERNEL      ofd_hand_back
 *     any    --- somebody we cannot see may move it --> GONE        ofd_hand_back(for good)
 *
 * Doors: ofd_new, ofd_get, ofd_drop; ofd_hand_back, ofd_wait; ofd_enter and ofd_leave around a call
 * that uses f_pos.
 *
 * Memory of an ofd is never unmapped and always stays an ofd, so that a late look is harmless.
 */
#ifndef OFD_H
#define OFD_H

#include "count.h"
#include "word.h"

struct ofd {
	struct word word;
	uint64_t limit;	       /* offsets up to here are good: multiple of 4096 | birth % 4096 */
	uint32_t refs;	       /* numbers that refer to it, and late numbers (S_LATE) */
	uint32_t birth;	       /* which file this memory serves; makes an old limit recognisable */
	uint32_t saved;	       /* system calls saved, roughly: threads may lose a count */
	uint32_t backs;	       /* times handed back; in an audit, calls that were followed */
	int closer;	       /* thread that is closing one of its numbers */
	uint8_t why;	       /* enum reason: why it is GONE */
	struct ofd *next;      /* in the list of free ones */
	struct flight *flight; /* of the owner, where the word is WRITING: for who waits */
} __attribute__((aligned(64)));
_Static_assert(sizeof(struct ofd) == 64, "one cache line");

/* What one look at a number found; valid as long as a swap of w succeeds. */
struct look {
	int fd;
	uintptr_t slot;
	struct ofd *ofd;
	struct word w;
};

struct ofd *ofd_new(bool append); /* refs 1, KERNEL, KNOWN at 0; NULL without memory */
bool ofd_get(struct ofd *o);	  /* one more reference, unless it is free */
int ofd_drop(struct ofd *o); /* always 0: it can be the last thing that its caller does */
/* A file was seeked a second time, or was closed without: most likely so will the next one be. */
void ofd_seeks_again(bool again);

void ofd_learn(struct ofd *o, uint32_t birth, int64_t accepted);

HOT bool ofd_has_limit(const struct ofd *o)
{
	uint64_t limit = __atomic_load_n(&o->limit, __ATOMIC_RELAXED);

	return limit && limit % 4096 == __atomic_load_n(&o->birth, __ATOMIC_RELAXED) % 4096;
}
/*
 * Every admitted file system takes 0 to 2^31-1.  Beyond, the largest offset is the file system's
 * and even the inode's (ext4 without extents), so only what the kernel has accepted here is good.
 * A block device takes nothing behind its end, which is learnt from SEEK_END only.
 */
HOT bool ofd_good(const struct ofd *o, struct word w, int64_t target)
{
	if (likely((uint64_t)target <= 0x7fffffff && (w.ctl & W_REGULAR)))
		return true;
	return target >= 0 && ofd_has_limit(o) &&
	       target <= (int64_t)(__atomic_load_n(&o->limit, __ATOMIC_RELAXED) & ~4095UL);
}

/* Waits until a foreign WRITING or HANDING has changed. */
COLD void ofd_wait(struct ofd *o, struct word w);
COLD void ofd_wake_waiters(struct ofd *o);
/* After a mark has been swapped away; old is what was there. */
HOT void ofd_wake(struct ofd *o, struct word old)
{
	if (unlikely(old.ctl & W_WAITERS))
		ofd_wake_waiters(o);
}
bool ofd_owner_lives(int tid);

/*
 * One attempt to bring the offset to the kernel; for good, or until the next lseek to a place.
 * True: the kernel holds it.  False: something changed, look again.
 */
bool ofd_hand_back(struct look *l, enum reason why, bool for_good);

/*
 * A call that uses f_pos, on an offset that can still be taken, is counted in the word (W3).  A
 * count that is left behind (a cancelled thread, a handler that jumps) costs speed only.
 */
HOT bool ofd_enter(struct look *l)
{
	uint64_t ctl = l->w.ctl;

	l->w.ctl = (ctl & ~W_KNOWN) + W_WHO_ONE;
	return word_swap_ctl(&l->ofd->word, &ctl, l->w.ctl);
}
HOT void ofd_leave(struct ofd *o)
{
	__atomic_fetch_add(&o->word.ctl, W_SEQ_ONE - W_WHO_ONE, __ATOMIC_SEQ_CST);
}
/* By one that has entered. */
void ofd_let_go_entered(struct ofd *o, enum reason why);
HOT bool ofd_is_busy(struct word w)
{
	return w.ctl & W_WHO;
}

#endif
