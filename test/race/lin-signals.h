/* SPDX-License-Identifier: MIT */
/* lin-signals.h - two threads that send each other signals in the middle of their calls. */
#ifndef RACE_LIN_SIGNALS_H
#define RACE_LIN_SIGNALS_H

#include "race/lin.h"

/* A signal to the other thread; or to this one, soon, as the other may not be running. */
static __thread timer_t alarm_timer;
static __thread uint64_t alarm_rng;

static void disturb(struct round *r, int what, int actor)
{
	struct itimerspec soon = {{0, 0}, {0, 3000 + rnd(&alarm_rng) % 10000}};

	(void)r;
	if (what == DO_KICK)
		pthread_kill(lin_threads[actor], SIGRTMIN);
	else
		timer_settime(alarm_timer, 0, &soon, NULL);
}

static void alarm_make(void)
{
	struct sigevent ev = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN};

	ev.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	MUST(timer_create(CLOCK_MONOTONIC, &ev, &alarm_timer) == 0);
	alarm_rng = lin_seed + (uint64_t)syscall(SYS_gettid);
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
	struct sigaction sa = {.sa_handler = handler, .sa_flags = SA_RESTART};

	lin_init(name, argv);
	lin_special = disturb;
	lin_thread_init = alarm_make;
	MUST(sigaction(SIGRTMIN, &sa, NULL) == 0);
	alarm_make();
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
