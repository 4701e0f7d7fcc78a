/* SPDX-License-Identifier: MIT */
/*
 * Floor 2, state: what nearly every call touches, in as few pages as can be.  A system call empties
 * the TLB where the processor has no PCID, so each further page costs 10 to 30 ns afterwards.
 */
#ifndef HOT_H
#define HOT_H

#include "ofd.h"

/* Numbers; the rest are strangers.  Room that is never touched still counts for RLIMIT_AS and RLIMIT_DATA. */
#define FDTAB_MAX (1 << 17)

extern struct hot {
	uint32_t size;	 /* 0: the shim is off, or has retired: every number is a stranger */
	uint32_t high;	 /* no number at or above was ever tracked */
	uint32_t paused; /* > 0: nobody takes */
	uint32_t off;	 /* not 0: nobody takes, as another process wants it (include/seekless.h) */
	uint32_t forks, spawns;		  /* processes being made: ever begun or ended */
	uint32_t forks_open, spawns_open; /* under way */
	uint32_t used_at_start;
	/*
	 * An lseek has gone to the kernel for want of a verdict.  It buys one: the next fstat that the
	 * program makes asks for the file system.  Else who tells once in each of many files (ruby, head)
	 * would never gain.
	 */
	uint32_t wants_verdict;
	int32_t seeks_again; /* > 0: files of this program are seeked more than once */
	uint32_t ahead;	     /* not 0: SEEKLESS_READAHEAD, see ahead.h */
	const char *bare;    /* see is_bare; NULL before our constructor */
	struct word free;    /* a list of ofds: pointer, and a tag against re-use */
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

/* ---- births of descriptions ---- */

/*
 * The ofd that the thread freed last is its own.  A signal handler of the thread may come in
 * between: one instruction, but without the lock that other threads would ask for.
 */
HOT bool spare_swap(struct block *b, struct ofd *old, struct ofd *new)
{
#if defined(__x86_64__)
	bool ok;

	STEP(NULL);
	__asm__ volatile("cmpxchg %3, %1"
			 : "=@ccz"(ok), "+m"(b->spare), "+a"(old)
			 : "r"(new)
			 : "memory");
	return ok;
#else
	return __atomic_compare_exchange_n(&b->spare, &old, new, false, __ATOMIC_RELAXED,
					   __ATOMIC_RELAXED);
#endif
}
/* Not while a late call counts there: nobody else may change the word of a new description. */
HOT struct ofd *spare_take(struct block *b)
{
	struct ofd *o = b->spare;

	return likely(o) && likely(!ofd_is_busy(word_load(&o->word))) &&
			       likely(spare_swap(b, o, NULL))
		       ? o
		       : NULL;
}
HOT void ofd_clear(struct ofd *o)
{
	o->saved = 0;
	o->backs = 0;
	o->why = R_unseeked;
	o->closer = 0;
	__atomic_store_n(&o->birth, o->birth + 1, __ATOMIC_RELAXED);
	__atomic_store_n(&o->refs, 1, __ATOMIC_RELAXED);
}
HOT struct word ofd_first_word(struct word old, bool append)
{
	struct word new = word_next(old, KERNEL, 0, word_who(old));

	new.ctl &= ~(W_ADMITTED | W_APPEND);
	new.ctl |= (ofd_is_busy(old) ? 0 : W_KNOWN) | (append ? W_APPEND : 0);
	return new;
}
/* The spare one, which nobody else can change: each swap of a late look expects an older seq (W1). */
HOT void ofd_renew_spare(struct ofd *o, bool append)
{
	struct word new = ofd_first_word(o->word, append);

	ofd_clear(o);
	__atomic_store_n(&o->word.off, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&o->word.ctl, new.ctl, __ATOMIC_RELEASE);
}

/* ---- the call itself ---- */

/*
 * Whether libc's own function comes next and would do no more than the system call, since there is
 * one thread and nobody to cancel it (__libc_single_threaded).  Then we make the call: each jump
 * and return that the processor has to find again after a system call costs some 10 ns.
 */
HOT bool hot_is_alone(void)
{
	const char *bare = hot.bare;

	return likely(bare) && __atomic_load_n(bare, __ATOMIC_RELAXED);
}
HOT bool is_bare(void)
{
	return hot_is_alone() || unlikely(tls.by_syscall);
}
/* The kernel's result or -errno. */
#define BARE(call, real) (likely(is_bare()) ? (call) : from_libc(real))

#endif
