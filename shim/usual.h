/* SPDX-License-Identifier: MIT */
/*
 * Floor 4, operations: the usual case of lseek, read, write and close, for the entry points.  A system
 * call leaves little of us in the processor's nearest caches, so what costs is the number of cache
 * lines of code that a call runs through.  Here it is a straight line without a frame; whatever is not as
 * usual takes the other door, which does all: seek.h, transfer.h, fdtab.h.
 *
 * Usual: one thread, libc's own functions behind us, no call of this thread interrupted, and a number that
 * nobody is closing or re-pointing.
 */
#ifndef USUAL_H
#define USUAL_H

#include "fly.h"
#include "slot.h"
#include <unistd.h>

/* slot: what the number's slot held, a tracked one.  Otherwise as look_tracked. */
HOT bool look_usual(int fd, uintptr_t slot, struct look *l)
{
	if (unlikely(slot & S_FLAGS) || unlikely(!hot_is_alone()) || unlikely(!tls.block) ||
	    unlikely(tls.flight))
		return false;
	l->fd = fd;
	l->slot = slot;
	l->ofd = (struct ofd *)slot;
	l->w = word_load(&l->ofd->word);
	return look_holds(l);
}

/* A read or write where the kernel holds the offset: libc's result, or LOOK_AGAIN. */
HOT long pass_usual(struct look *l, long nr, const void *buf, size_t n, unsigned counter)
{
	long r;

	if (word_state(l->w) != KERNEL || unlikely(!look_enter(l)))
		return LOOK_AGAIN;
	HOOK("kernel", l->fd);
	r = RAW3(nr, l->fd, buf, n);
	ofd_leave(l->ofd);
	count_in(tls.block, counter);
	return to_libc(r);
}

/* An lseek to a place near enough, where we hold the offset. */
HOT long seek_usual_ours(const struct look *l, int64_t off, int whence)
{
	int64_t target = (int64_t)((uint64_t)off + (whence == SEEK_CUR ? (uint64_t)l->w.off : 0));

	_Static_assert(C_seek_set + SEEK_CUR == C_seek_cur, "counted by whence");
	if (unlikely((unsigned)whence > SEEK_CUR) || unlikely((uint64_t)target > 0x7fffffff) ||
	    unlikely(!(l->w.ctl & W_REGULAR)) ||
	    unlikely(!word_swap(&l->ofd->word, l->w, word_moved(l->w, target))))
		return LOOK_AGAIN;
	count_in(tls.block, C_seek_set + (unsigned)whence);
	l->ofd->saved++;
	return target;
}

/* The first one of a file: the kernel's, see may_take in seek.c. */
HOT long seek_usual_first(struct look *l, int64_t off, int whence)
{
	struct word new;
	long r;

	if (whence != SEEK_SET || l->w.ctl & (W_ADMITTED | W_SEEKED) ||
	    __atomic_load_n(&hot.seeks_again, __ATOMIC_RELAXED) > 0 || unlikely(!look_enter(l)))
		return LOOK_AGAIN;
	if (!__atomic_load_n(&hot.wants_verdict, __ATOMIC_RELAXED))
		__atomic_store_n(&hot.wants_verdict, true, __ATOMIC_RELAXED);
	HOOK("kernel", l->fd);
	r = RAW3(SYS_lseek, l->fd, off, whence);
	count_in(tls.block, C_pass_lseek);
	new = word_next(l->w, KERNEL, r, 0);
	new.ctl |= W_KNOWN | W_SEEKED;
	if (unlikely(r < 0) || unlikely(word_who(l->w) != 1) || unlikely(!look_holds(l)) ||
	    unlikely(!word_swap(&l->ofd->word, l->w, new)))
		ofd_leave(l->ofd);
	return to_libc(r);
}

HOT long seek_usual(struct look *l, int64_t off, int whence)
{
	if (likely(word_state(l->w) == OURS))
		return seek_usual_ours(l, off, whence);
	return word_state(l->w) == KERNEL ? seek_usual_first(l, off, whence) : LOOK_AGAIN;
}

/* The mark of a close (T2), where nobody holds the description up: a ticket, or 0 and nothing done. */
HOT uintptr_t close_usual_begin(const struct look *l)
{
	int tid = tls.tid;

	if (unlikely(word_is_marked(l->w)) || unlikely(!tid))
		return 0;
	__atomic_store_n(&l->ofd->closer, tid, __ATOMIC_RELAXED);
	return slot_swap(l->fd, l->slot, l->slot | S_CLOSING) ? l->slot | S_CLOSING : 0;
}

/* A positioned write through this number must not meet the number's next file, nor is audit to miss it. */
HOT bool close_usual_must_wait(const struct look *l)
{
	struct word w = word_load(&l->ofd->word);

	return word_is_marked(w) || word_state(w) == AUDITED;
}

/* False, and nothing done, where a late call holds the description, or the number is another's. */
HOT bool close_usual_end(int fd, uintptr_t ticket)
{
	return !slot_has_late_calls(ticket) && slot_swap(fd, ticket, 0);
}

#endif
