/* SPDX-License-Identifier: MIT */
/*
 * lin-alarm.h - a signal to the calling thread, soon, in the middle of what it does.
 *
 * Where its handler waits for a moment, the others make calls in the middle of the one that it has
 * interrupted, and be it on one processor.
 */
#ifndef RACE_LIN_ALARM_H
#define RACE_LIN_ALARM_H

static __thread timer_t alarm_timer;
static __thread uint64_t alarm_rng;

MAYBE void alarm_make(void)
{
	struct sigevent ev = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN};

	ev.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	MUST(timer_create(CLOCK_MONOTONIC, &ev, &alarm_timer) == 0);
	alarm_rng = lin_seed + (uint64_t)ev.sigev_notify_thread_id;
}

/* Much sooner it would come while the timer is being set. */
MAYBE void alarm_soon(void)
{
	struct itimerspec soon = {{0, 0}, {0, 3000 + rnd(&alarm_rng) % 10000}};

	timer_settime(alarm_timer, 0, &soon, NULL);
}

/* Calls that the others have made in this round; what is over cannot be waited for. */
MAYBE int others_made(struct round *r, int *all)
{
	int made = 0;

	*all = 0;
	for (int t = 0; t < (int)lin_parties; t++)
		if (t != my_actor) {
			made += atomic_load(&r->plan[t].next);
			*all += r->plan[t].n;
		}
	return made;
}

/* Until the others have made some calls, but they may wait for us. */
MAYBE void alarm_is_a_stall(int sig)
{
	const struct timespec nap = {0, 20000};
	int saved = errno, all, made;
	struct round *r = my_round;

	(void)sig;
	if (!r)
		return;
	made = others_made(r, &all) + 3;
	for (int i = 0; i < 540 && others_made(r, &all) < (made < all ? made : all); i++)
		if (i < 500)
			relax();
		else
			nanosleep(&nap, NULL);
	errno = saved;
}

MAYBE void alarm_special(struct round *r, int what, int actor)
{
	(void)r;
	(void)actor;
	MUST(what == DO_ALARM);
	alarm_soon();
}

/* Before the threads are started; the calling one has alarms, too. */
MAYBE void alarms_by(void (*handler)(int))
{
	struct sigaction sa = {.sa_handler = handler, .sa_flags = SA_RESTART};

	MUST(sigaction(SIGRTMIN, &sa, NULL) == 0);
	lin_thread_init = alarm_make;
	alarm_make();
}

#endif
