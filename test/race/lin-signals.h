/* SPDX-License-Identifier: MIT */
/* lin-signals.h - two threads that send each other signals in the middle of their calls. */
#ifndef RACE_LIN_SIGNALS_H
#define RACE_LIN_SIGNALS_H

#include "race/lin.h"

/* A signal to the other thread; or to this one, soon, as the other may not be running. */
static void disturb(struct round *r, int what, int actor)
{
	(void)r;
	if (what == DO_KICK)
		pthread_kill(lin_threads[actor], SIGRTMIN);
	else
		alarm_soon();
}

/* Both have a handler with calls of its own, and each disturbs the other and itself. */
static void plan_both(struct round *r, int appends)
{
	for (int t = 0; t < 2; t++) {
		plan_make(&r->plan[t], 7 + (int)dice(5), appends);
		plan_make(&r->handler[t], (int)dice(4), appends);
		plan_add(&r->plan[t], DO_KICK, !t);
		plan_add(&r->plan[t], DO_ALARM, t);
		plan_add(&r->plan[t], DO_ALARM, t);
	}
}

static int signals_main(const char *name, char **argv, void (*handler)(int))
{
	lin_init(name, argv);
	lin_special = disturb;
	alarms_by(handler);
	threads_start(2);
	while (lin_more(1)) {
		for (int i = 0; i < BATCH; i++)
			plan_both(round_open(i), i % 8 < 2);
		batch_run(0);
		for (int i = 0; i < BATCH; i++)
			round_close(&lin->round[i]);
	}
	threads_stop();
	return lin_end(lin_calls / 4);
}

#endif
