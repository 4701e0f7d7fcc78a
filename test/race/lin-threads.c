/* SPDX-License-Identifier: MIT */
/* lin-threads.c - two threads, then three, on one description. See lin.h. */
// may skip: where its threads seldom meet
// runs: bare keep on
#include "race/lin.h"

static void rounds(unsigned parties, double part)
{
	threads_start(parties);
	while (lin_more(part)) {
		for (int i = 0; i < BATCH; i++) {
			struct round *r = round_open(i);
			int n = parties == 2 ? 5 + (int)dice(6) : 3 + (int)dice(5);

			for (unsigned t = 0; t < parties; t++)
				plan_make(&r->plan[t], n, i % 8 < 2);
			if (i % 2)
				plan_add(&r->plan[dice(parties)], DO_ALARM, 0);
		}
		batch_run(0);
		for (int i = 0; i < BATCH; i++)
			round_close(&lin->round[i]);
	}
	threads_stop();
}

int main(int argc, char **argv)
{
	(void)argc;
	lin_init("lin-threads", argv);
	lin_special = alarm_special;
	alarms_by(alarm_is_a_stall);
	rounds(2, 0.6);
	rounds(3, 1);
	return lin_end(lin_calls / 4);
}
