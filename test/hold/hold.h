/* SPDX-License-Identifier: MIT */
/*
 * hold.h - the late kernel call.
 *
 * A preloaded library that keeps offsets decides who answers a call, and acts a moment later.
 * If B takes the offset over and uses it in that moment, A's call comes late, and may give a
 * result that no order of kernel calls gives.  So for each pair of acts:
 *  - the oracle: all orders in which A's one call can fall between B's calls are run on the
 * kernel, with our own system call instruction, and everything that can be seen is noted;
 *  - the same orders are run through libc: each must give what the oracle gave for it;
 *  - A is stopped at one place inside its call, B acts in that moment, and the result must be
 * one of the oracle's.  If B waits for A, A goes on.  Then at the next place, and so on. B is a
 * thread, or a signal handler that interrupts A.  The places are the hooks of the test build
 * (at-hooks.h), or single instructions (at-instructions.h).
 */
#ifndef HOLD_HOLD_H
#define HOLD_HOLD_H

#include "hold/world.h"
#include <fnmatch.h>

enum { RESULT = 1600, ORDERS = 7, HANG_S = 20 };

/* How A is stopped. */
struct way {
	int (*is_possible)(void);
	int (*wants)(const struct scene *);
	int (*run)(unsigned n); /* A stops at place n; 0 if there is none */
	int (*wait_for)(
		pid_t pid); /* the parent, while the child runs scenes; the child's status */
	int is_traced;
};

/* Shared with the children that run the scenes: one that hangs or crashes ends only its own. */
static struct tally {
	unsigned failures, runs, stopped, waited, broken, not_judged;
	struct scene scene;
	_Atomic int b_may_go, b_goes, b_done;
	int b_waited;
} * tally;

static struct world world;
static char oracle[ORDERS][RESULT];
static unsigned oracles;
static int by_handler;
static unsigned failures_shown = 10;
static const struct way *way;
static const struct scene *scene;
static char stopped_at[60];

static void b_acts(unsigned from, unsigned to)
{
	for (unsigned i = from; i < to; i++)
		scene->b->steps[i](&world, world.text[1]);
}

static void *b_thread(void *unused)
{
	(void)unused;
	while (!atomic_load(&tally->b_may_go))
		sched_yield();
	atomic_store(&tally->b_goes, 1);
	b_acts(0, steps_of(scene->b));
	atomic_store(&tally->b_done, 1);
	return NULL;
}

static void on_signal(int sig)
{
	int saved = errno;

	(void)sig;
	b_acts(0, steps_of(scene->b));
	errno = saved;
}

/* B is a thread and A stands still: come back when B is done, or when it evidently waits for A.
 */
static void let_b_act(int patience_us)
{
	struct timespec nap = {0, 50000};

	atomic_store(&tally->b_may_go, 1);
	for (int us = 0; !atomic_load(&tally->b_done);
	     us += atomic_load(&tally->b_goes) ? 100 : 0) {
		tally->b_waited = us >= patience_us;
		if (tally->b_waited)
			return;
		nanosleep(&nap, NULL);
	}
}

static void scene_print(const char *verdict, const struct scene *s)
{
	printf("%s: A: %s, B: %s%s, at the start %s%s", verdict, s->a->name, s->b->name,
	       by_handler ? " in a handler" : "", begin_names[s->begin],
	       s->keep ? ", a dup is kept" : "");
}

static void judge(const char *how, unsigned first, unsigned count)
{
	static char is[RESULT];

	world_end(&world, is, sizeof is);
	tally->runs++;
	if (tally->b_waited && kernel_itself_races(scene->a, scene->b)) {
		tally->not_judged++;
		return;
	}
	for (unsigned i = first; i < first + count; i++)
		if (!strcmp(is, oracle[i]))
			return;
	if (tally->failures++ >= failures_shown)
		return;
	scene_print("FAIL", scene);
	printf(", %s%s\n  got  %s\n", how, stopped_at, is);
	for (unsigned i = first; i < first + count; i++)
		printf("  %s %s\n", i == first ? "want" : "or  ", oracle[i]);
}

/* A's call comes after `before` of B's calls. */
static void run_order(unsigned before, int raw_calls)
{
	world_start(&world, scene, raw_calls);
	b_acts(0, before);
	scene->a->steps[0](&world, world.text[0]);
	b_acts(before, steps_of(scene->b));
}

/* What each way of stopping has around it. */
static pthread_t stop_begin(void)
{
	pthread_t b = 0;

	world_start(&world, scene, 0);
	tally->b_may_go = tally->b_goes = tally->b_done = tally->b_waited = 0;
	stopped_at[0] = 0;
	if (!by_handler)
		MUST(pthread_create(&b, NULL, b_thread, NULL) == 0);
	return b;
}

static int stop_end(pthread_t b, int missed)
{
	atomic_store(&tally->b_may_go, 1);
	if (!by_handler)
		MUST(pthread_join(b, NULL) == 0);
	else if (missed)
		raise(SIGUSR2);
	judge("stopped at ", 0, oracles);
	tally->stopped += !missed;
	tally->waited += (unsigned)tally->b_waited;
	tally->b_waited = 0;
	return !missed;
}

static void run_scene(const struct scene *s, int can_stop)
{
	unsigned last = steps_of(s->b);

	scene = s;
	tally->scene = *s;
	alarm(HANG_S);
	oracles = 0;
	/* A handler runs whole: A's call is before or after all of it. */
	for (unsigned before = 0; before <= last; before += by_handler ? last : 1) {
		run_order(before, 1);
		world_end(&world, oracle[oracles++], RESULT);
	}
	for (unsigned i = 0; i < oracles; i++) {
		run_order(by_handler ? i * last : i, 0);
		snprintf(stopped_at, sizeof stopped_at, "%u of B's calls",
			 by_handler ? i * last : i);
		judge("A after ", i, 1);
	}
	for (unsigned n = 0; can_stop && way->run(n); n++)
		alarm(HANG_S);
}

static void run_pair(const struct act *a, const struct act *b, int can_stop)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (way->is_traced)
			MUST(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0);
		for (int begin = 0; begin < BEGINS; begin++)
			for (int keep = 0; keep < 2; keep++) {
				struct scene s = {a, b, begin, keep};

				if (way->wants(&s))
					run_scene(&s, can_stop);
			}
		fflush(stdout);
		_exit(0);
	}
	MUST(pid > 0);
	status = way->wait_for(pid);
	if (!status)
		return;
	tally->broken++;
	scene_print("FAIL", &tally->scene);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		printf(": it hangs\n");
	else
		printf(": it ended with status %x\n", status);
}

/* The variables ONLY_A and ONLY_B are patterns for the names of the acts, for a quick look. */
static int is_wanted(const char *variable, const struct act *act)
{
	const char *only = getenv(variable);

	return !only || !fnmatch(only, act->name, 0);
}

static int hold_main(int handler, const struct way *how)
{
	struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	int can_stop;

	by_handler = handler;
	way = how;
	can_stop = way->is_possible();
	if (getenv("SHOW"))
		failures_shown = (unsigned)atoi(getenv("SHOW"));
	tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		     -1, 0);
	MUST(tally != MAP_FAILED);
	sigaction(SIGUSR2, &sa, NULL);
	world_make(&world, disk_dir());
	for (unsigned a = 0; a < COUNT(acts_a); a++) {
		unsigned runs = tally->runs, stopped = tally->stopped;

		for (unsigned b = 0; b < COUNT(acts_b); b++)
			if (is_wanted("ONLY_A", &acts_a[a]) && is_wanted("ONLY_B", &acts_b[b]))
				run_pair(&acts_a[a], &acts_b[b], can_stop);
		if (can_stop && runs != tally->runs && stopped == tally->stopped)
			fail("nothing was tested: %s was never stopped", acts_a[a].name);
	}
	printf("%u runs, A stopped in %u, B waited for A in %u; %u not judged (sendfile); "
	       "%u results that no order gives, %u broken\n",
	       tally->runs, tally->stopped, tally->waited, tally->not_judged, tally->failures,
	       tally->broken);
	return tally->failures || tally->broken;
}

#endif
