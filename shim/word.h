/* SPDX-License-Identifier: MIT */
/*
 * Floor 1, the word: all that is known of an open file description's offset, in 16 bytes that
 * change only by compare-and-swap.
 *
 *   off   the offset, where the state says that it is the truth
 *   ctl   seq(32) | who(22) | admission(2) | spare(1) | flags(4) | state(3)
 *
 * who is the owner's thread id in WRITING and HANDING, and the number of kernel calls under way in
 * KERNEL and AUDITED (in GONE and FREE: those that began before).  Invariants, cited by label:
 *
 *   W1  Every change raises seq; seq never goes back, also when the word serves another file.
 *       So a swap that succeeds proves that nothing happened to this description since the load.
 *       A read needs no more: it leaves no mark, and counts only if its swap succeeds.
 *   W2  OURS: off is the truth, the kernel's f_pos is stale.  KERNEL, GONE: f_pos is the truth.
 *   W3  KERNEL becomes OURS only where no call on f_pos is under way but the taker's own lseek.
 *   W4  WRITING(owner): a write, or a question to the kernel's lseek, is under way.  Others wait; the
 *       owner's own signal handler resolves it (flight.h).  off is the offset before it, but of a
 *       pwrite the one behind it, if it writes all: that stands if nobody comes back to settle.
 *   W5  HANDING(owner): the owner is bringing off to the kernel, with all signals blocked.
 *   W6  GONE is for good.
 *   W7  KNOWN (only in KERNEL with who == 0): f_pos == off, no call used f_pos since.
 *   W8  AUDITED (only with SEEKLESS=audit): f_pos is the truth, off is what we would say.
 *   W9  FREE keeps the count of those who entered just before, and so does the next file: each of them
 *       will count himself off, whatever the word serves by then.
 */
#ifndef WORD_H
#define WORD_H

#include "ground.h"

/* ThreadSanitizer does not know the instruction, and is told what it does. */
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#define TELL(word, what) (what(&(word)->off), what(&(word)->ctl))
#else
#define TELL(word, what) ((void)0)
#endif

enum state { FREE = 0, KERNEL, OURS, WRITING, HANDING, GONE, AUDITED };

#define W_STATE 0x7UL
#define W_APPEND 0x8UL	  /* O_APPEND is set: a write goes where only the kernel knows */
#define W_KNOWN 0x10UL	  /* W7 */
#define W_WAITERS 0x20UL  /* somebody sleeps on the low half of ctl */
#define W_SEEKED 0x40UL	  /* the program had seeked here before we took the offset */
#define W_REGULAR 0x100UL /* admitted: a regular file on a file system that we know */
#define W_BLOCK 0x200UL	  /* admitted: a block device */
#define W_ADMITTED (W_REGULAR | W_BLOCK)
#define W_WHO_SHIFT 10
#define W_WHO_ONE (1UL << W_WHO_SHIFT)
#define W_WHO (0x3fffffUL << W_WHO_SHIFT)
#define W_SEQ_ONE (1UL << 32)

struct word {
	int64_t off;
	uint64_t ctl;
} __attribute__((aligned(16)));

static inline enum state word_state(struct word w)
{
	return (enum state)(w.ctl & W_STATE);
}
static inline int word_who(struct word w)
{
	return (int)((w.ctl & W_WHO) >> W_WHO_SHIFT);
}
static inline bool word_is_mine(struct word w)
{
	return word_who(w) == my_tid();
}

/* Somebody is at work outside; only he, or time, changes it. */
static inline bool word_is_marked(struct word w)
{
	return word_state(w) == WRITING || word_state(w) == HANDING;
}

/* Still the mark that was set?  Whoever waits for it may have said so in the word. */
static inline bool word_has_mark(struct word w, struct word mark)
{
	return !((w.ctl ^ mark.ctl) & ~W_WAITERS);
}

/* The successor of w: another state, offset and owner; what is known of the file is kept. */
static inline struct word word_next(struct word w, enum state state, int64_t off, int who)
{
	uint64_t ctl = (w.ctl & ~(W_SEQ_ONE - 1)) + W_SEQ_ONE;

	ctl |= (w.ctl & (W_APPEND | W_ADMITTED)) | (uint64_t)state;
	ctl |= (uint64_t)who << W_WHO_SHIFT;
	return (struct word){off, ctl};
}
/* The same state at another offset. */
static inline struct word word_moved(struct word w, int64_t off)
{
	return (struct word){off, w.ctl + W_SEQ_ONE};
}

/* Two loads; where they do not belong together the swap that follows fails. */
static inline struct word word_load(struct word *p)
{
	struct word w;

	w.ctl = __atomic_load_n(&p->ctl, __ATOMIC_ACQUIRE);
	w.off = __atomic_load_n(&p->off, __ATOMIC_ACQUIRE);
	return w;
}

static inline bool word_swap(struct word *p, struct word old, struct word new)
{
#if defined(__x86_64__)
	bool ok;

	STEP(p);
	TELL(p, __tsan_release);
	__asm__ volatile("lock cmpxchg16b %1"
			 : "=@ccz"(ok), "+m"(*p), "+a"(old.off), "+d"(old.ctl)
			 : "b"(new.off), "c"(new.ctl)
			 : "memory");
	TELL(p, __tsan_acquire);
	return ok;
#else
	register uint64_t x0 __asm__("x0") = (uint64_t)old.off;
	register uint64_t x1 __asm__("x1") = old.ctl;
	register uint64_t x2 __asm__("x2") = (uint64_t)new.off;
	register uint64_t x3 __asm__("x3") = new.ctl;

	/* Of ARMv8.1: without it the library stays off (ground_can_swap). */
	__asm__ volatile(".arch_extension lse\n\t"
			 "caspal x0, x1, x2, x3, %2"
			 : "+r"(x0), "+r"(x1), "+Q"(*p)
			 : "r"(x2), "r"(x3)
			 : "memory");
	return x0 == (uint64_t)old.off && x1 == old.ctl;
#endif
}

/*
 * Half a swap, for changes that keep the offset.  Enough, because no change of off leaves ctl as
 * it was (W1).
 */
static inline bool word_swap_ctl(struct word *p, uint64_t *old, uint64_t new)
{
	return __atomic_compare_exchange_n(&p->ctl, old, new, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_RELAXED);
}

#endif
