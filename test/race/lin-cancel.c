/* SPDX-License-Identifier: MIT */
/* lin-cancel.c - a thread that is cancelled inside a call, while another makes calls. See lin.h. */
// may skip: where its threads seldom meet
// runs: bare keep on
#include "race/lin.h"

static pthread_t victim;

/* In half of the rounds anywhere in the call, otherwise where the call is a cancellation point. */
static long make_cancellable(const struct round *r, struct lin_call *c)
{
	int type = lin_rounds % 4 < 2 ? PTHREAD_CANCEL_DEFERRED : PTHREAD_CANCEL_ASYNCHRONOUS;
	int old;
	long got;

	pthread_setcanceltype(type, &old);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
	got = call_make(r, c);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old);
	return got;
}

static void cancel_victim(struct round *r, int what, int actor)
{
	(void)r;
	(void)what;
	(void)actor;
	pthread_cancel(victim);
}

static void *victim_run(void *arg)
{
	int old;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	meet(&lin->start, 2);
	plan_run(arg, 1);
	return NULL;
}

/*
 * The shim counts calls that it lets the kernel make, and where a thread is cancelled inside one the
 * number is no longer its own: allowed, but it would leave nothing to test.  Such a number is used up.
 */
static unsigned used_up;

static int toggles_append(void)
{
	return lin_rounds % 16 == 0 && used_up < 400;
}

static void number_use_up(const struct round *r)
{
	for (int i = 0; i < 2; i++)
		MUST(open("/dev/null", O_RDONLY | O_CLOEXEC) == r->fd[i]);
	used_up++;
}

static void one_round(void)
{
	struct round *r = round_open((int)(lin_rounds % BATCH));
	unsigned long lost = atomic_load(&lin_lost);
	int appends = toggles_append();

	plan_make(&r->plan[0], 8, appends);
	plan_make(&r->plan[1], 12, appends);
	plan_add(&r->plan[0], DO_CANCEL, 1);
	MUST(!pthread_create(&victim, NULL, victim_run, r));
	meet(&lin->start, 2);
	plan_run(r, 0);
	MUST(!pthread_join(victim, NULL));
	round_close(r);
	if (appends && lin_lost > lost)
		number_use_up(r);
}

int main(int argc, char **argv)
{
	(void)argc;
	lin_must = &lin_lost;
	lin_init("lin-cancel", argv);
	lin_make = make_cancellable;
	lin_special = cancel_victim;
	while (lin_more(1))
		one_round();
	return lin_end(lin_calls / 4);
}
