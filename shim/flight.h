/* SPDX-License-Identifier: MIT */
/*
 * Floor 2, state: a system call that is made while the word is marked (W4), and what the maker's own signal
 * handler does when it meets the mark.
 *
 * Others wait for a mark.  A handler of the thread that set it cannot, and must not guess either:
 * before the system call its writes would come first, after it second.  So the call is made in a few
 * instructions of assembly (flight.S), and a handler that meets the mark finds out where it has
 * interrupted them: from the phase, and within the few instructions from the instruction pointer that
 * the kernel has saved in the signal frame.
 *   Not made yet: the handler takes the mark back and sends the interrupted thread to the flight's
 *                 abort, which looks again.  (Restartable sequences, rseq(2), work the same way.)
 *   Made:         the handler settles with the true result, also where that came short or failed.
 */
#ifndef FLIGHT_H
#define FLIGHT_H

#include "fdtab.h"

/* What a result does to the word. */
enum landing {
	LANDS_WRITTEN,  /* the offset goes on by the result */
	LANDS_APPENDED, /* the kernel has moved f_pos to the end: it holds the truth */
	LANDS_AT,       /* the result is the offset */
	LANDS_NOWHERE,  /* the offset stays */
};

#define LOOK_AGAIN INT64_MIN /* no result, and no -errno */

/*
 * Marks the word that l found, makes the call, settles.  The result, or LOOK_AGAIN where something
 * else came first.
 */
long flight(struct look *l, enum landing landing, const char *point, long nr, long a, long b, long c,
	    long d, long e, long f);

/* In a handler of the owner: WRITING is no more; look again. */
COLD void flight_interrupted(struct look *l);

#endif
