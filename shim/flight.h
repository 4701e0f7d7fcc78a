/* SPDX-License-Identifier: MIT */
/*
 * Floor 2, state: the system calls that are made in the place of the program's: marked ones (W4),
 * and positioned reads.  And what the maker's own signal handler does when it meets the mark, or
 * leaves by a jump.
 *
 * Others wait for a mark.  A handler of the thread that set it cannot, and must not guess either:
 * before the system call its writes would come first, after it second.  So the call is made in a
 * few instructions of assembly (fly), and a handler that meets the mark finds out where it has
 * interrupted them: from the phase, and within the few instructions from the instruction pointer
 * that the kernel has saved in the signal frame.
 *   Not made yet: the handler takes the mark back and sends the interrupted thread to the flight's
 *                 abort, which looks again.  (Restartable sequences, rseq(2), work the same way.)
 *   Made:         the handler settles with the true result, also where that came short or failed.
 */
#ifndef FLIGHT_H
#define FLIGHT_H

#include "fdtab.h"
#include "fly.h"
#include "real.h"

/*
 * Marks the word that l found, makes the call, settles.  The result, or LOOK_AGAIN where something
 * else came first.
 */
long flight(struct look *l, enum landing landing, const char *point, long nr, long a, long b,
	    long c, long d, long e, long f);

/*
 * The program is about to jump: out of a handler, perhaps, that has interrupted a flight, and then
 * nobody comes back to settle it.  Whatever was under way is taken back or settled.
 */
COLD void flight_jump(void);

/*
 * The owner may be in a handler, and that may wait for us, as no handler waits for the kernel's lock: if
 * its call has been made, we settle it.
 */
COLD void flight_settle_for_owner(struct ofd *o, struct word w);

/* In a handler of the owner: WRITING is no more; look again. */
COLD void flight_interrupted(struct look *l);

/* ---- positioned reads: no mark, so that the common case is short enough to be inlined ---- */

/* Also a result of 0 or an error: only a swap proves that it was true. */
HOT bool flight_land_read(struct ofd *o, struct word before, long r)
{
	return word_swap(&o->word, before, word_moved(before, before.off + (r > 0 ? r : 0)));
}

/* A read at the offset that l found: one swap afterwards.  The result or LOOK_AGAIN, as above. */
HOT long flight_read(struct look *l, long nr, long a, long b, long c, long d, long e, long g)
{
	int type = cancel_later();
	struct flight f;
	long r;

	f.phase = BOARDING;
	f.aborted = 0;
	f.settled = false;
	f.outer = tls.flight;
	f.ofd = l->ofd;
	f.mark = l->w;
	f.landing = LANDS_READ;
	tls.flight = &f;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	/* From here on a handler of ours that uses the description settles the read, or takes it back. */
	r = LOOK_AGAIN;
	if (likely(word_load(&l->ofd->word).ctl == l->w.ctl))
		r = fly(&f, nr, a, b, c, d, e, g);
	/* Asked after the swap: it may have been lost to a handler of ours that has settled for us. */
	if (unlikely(r == LOOK_AGAIN) ||
	    unlikely(!(look_holds(l) && flight_land_read(l->ofd, l->w, r)) && !f.settled)) {
		count(C_retry);
		r = LOOK_AGAIN;
	}
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	tls.flight = f.outer;
	cancel_as_before(type);
	return r;
}

#endif
