/* SPDX-License-Identifier: MIT */
/* records-meet.h - how the threads of records.h come to be inside the shim at the same time, and
 * whether it was often enough. */
#ifndef RACE_RECORDS_MEET_H
#define RACE_RECORDS_MEET_H

#include "race/records-check.h"

/* keep_pace: how it waits; naps are for each step, places are more than any step has calls. */
enum { SPINS = 200, AHEAD = 16, NAPS = 20, NAP_NS = 20000, PLACES = 1024 };
enum { LONG_ENOUGH = 60 }; /* seconds, for seeking more meetings than there were */

static unsigned pairs, pairs_most;
static unsigned long retries_wanted;
static double start;

/*
 * Before a call on the ofd that both are at: wait for the other, so that the calls overlap.  Where
 * it is at the same point, both start at one instant.  Where it is not, it may not be running (few
 * processors, or they are not there all the time): then one goes ahead by some calls and naps, so
 * that the other runs; it wakes up in the middle of the other's calls, and makes its own.  All of
 * it is bounded.
 */
static void keep_pace(struct worker *w, unsigned mine)
{
	const struct timespec nap = {0, NAP_NS};
	_Atomic unsigned *other = &workers[!w->id].place;

	atomic_store(&w->place, mine);
	for (unsigned spins = 0; spins < SPINS; spins++) {
		if ((int)(atomic_load(other) - mine) >= 0)
			return;
		relax();
	}
	if (w->naps && mine - atomic_load(other) >= AHEAD) {
		w->naps--;
		nanosleep(&nap, NULL);
	}
}

/* Did the threads meet inside the shim often enough for the test to be worth something? */
static int met_enough(void)
{
	int let_go = counter("gone.contention") || getenv("SEEKLESS_TEST_KEEP");

	return !shim_is_on() || (let_go && counter("retry") >= retries_wanted);
}

/* How often they meet is the scheduler's doing: go on until it was often enough.  Called by one
 * thread while the other waits for it. */
static void more_if_needed(void)
{
	if (!shim_is_on() || pairs >= pairs_most || now() - start > LONG_ENOUGH)
		return;
	counters_take();
	if (!met_enough())
		pairs += pairs / 8 + 1;
}

#endif
