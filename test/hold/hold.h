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
 *  - if the library is the test build, A is stopped at its first hook, then its second, and so
 * on, B acts in that moment, and the result must be one of the oracle's.  If B waits for A, A
 * goes on. B is a thread in one program, and a signal handler that interrupts A in another.
 */
#ifndef HOLD_HOLD_H
#define HOLD_HOLD_H

#include "hold/world.h"
#include <dlfcn.h>

enum { RESULT = 1600, ORDERS = 7, PATIENCE_US = 10000, HANG_S = 20 };

typedef void hook(const char *point, int fd);

static struct world world;
static char oracle[ORDERS][RESULT];
static unsigned oracles;
static int by_handler;
static unsigned failures_shown = 10;

/* Shared with the children that run the scenes: a scene that hangs or crashes ends only its
 * own. */
static struct tally {
	unsigned failures, runs, held, waited, broken, left_out;
	struct scene scene;
} * tally;

/* The run under way: where A is to stop, and what B does then. */
static const struct scene *scene;
static __thread int is_a;
static int armed;
static unsigned hits, stop_at;
static char stopped_at[40];
static _Atomic int b_may_go, b_goes, b_done;
static int b_waited;

static void b_acts(unsigned from, unsigned to)
{
	for (unsigned i = from; i < to; i++)
		scene->b->steps[i](&world, world.text[1]);
}

static void *b_thread(void *unused)
{
	(void)unused;
	while (!atomic_load(&b_may_go))
		sched_yield();
	atomic_store(&b_goes, 1);
	b_acts(0, steps_of(scene->b));
	atomic_store(&b_done, 1);
	return NULL;
}

static void on_signal(int sig)
{
	int saved = errno;

	(void)sig;
	b_acts(0, steps_of(scene->b));
	errno = saved;
}

/* Let B act; come back when it is done, or when it evidently waits for us. */
static void let_b_act(void)
{
	if (by_handler) {
		raise(SIGUSR2);
		return;
	}
	atomic_store(&b_may_go, 1);
	for (int us = 0; !atomic_load(&b_done); us += atomic_load(&b_goes) ? 100 : 0) {
		struct timespec nap = {0, 50000};

		if (us >= PATIENCE_US) {
			b_waited = 1;
			return;
		}
		nanosleep(&nap, NULL);
	}
}

static void at_hook(const char *point, int fd)
{
	int saved = errno;

	(void)fd;
	if (!is_a || !armed || hits++ != stop_at)
		return;
	armed = 0; /* B acts in hooks of its own: in a handler it is A's thread */
	snprintf(stopped_at, sizeof stopped_at, "%s", point);
	let_b_act();
	errno = saved;
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
	if (b_waited && kernel_itself_races(scene->a, scene->b)) {
		tally->left_out++;
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

/* A stops at its hook number n; returns 0 if it has no such hook. */
static int run_held(unsigned n)
{
	pthread_t b;
	int missed;

	world_start(&world, scene, 0);
	b_may_go = b_goes = b_done = b_waited = 0;
	stopped_at[0] = 0;
	if (!by_handler)
		MUST(pthread_create(&b, NULL, b_thread, NULL) == 0);
	hits = 0;
	stop_at = n;
	armed = 1;
	scene->a->steps[0](&world, world.text[0]);
	missed = armed;
	armed = 0;
	atomic_store(&b_may_go, 1);
	if (!by_handler)
		MUST(pthread_join(b, NULL) == 0);
	else if (missed)
		raise(SIGUSR2);
	judge("stopped at ", 0, oracles);
	tally->held += !missed;
	tally->waited += (unsigned)b_waited;
	b_waited = 0;
	return !missed;
}

static void run_scene(const struct scene *s, int have_hook)
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
	for (unsigned n = 0; have_hook && run_held(n); n++)
		MUST(n < 50);
}

static void run_pair(const struct act *a, const struct act *b, int have_hook)
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		for (int begin = 0; begin < BEGINS; begin++)
			for (int keep = 0; keep < 2; keep++) {
				struct scene s = {a, b, begin, keep};

				run_scene(&s, have_hook);
			}
		fflush(stdout);
		_exit(0);
	}
	MUST(pid > 0 && waitpid(pid, &status, 0) == pid);
	if (!status)
		return;
	tally->broken++;
	scene_print("FAIL", &tally->scene);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		printf(": it hangs\n");
	else
		printf(": it ended with status %x\n", status);
}

/* For each of A's acts: did it stop anywhere at all? */
static void run_act(const struct act *a, int have_hook)
{
	unsigned before = tally->held;

	for (unsigned b = 0; b < COUNT(acts_b); b++)
		run_pair(a, &acts_b[b], have_hook);
	if (have_hook && tally->held == before)
		fail("nothing was tested: %s has no hook", a->name);
}

static int hold_main(int handler)
{
	hook **place = (hook **)dlsym(RTLD_DEFAULT, "seekless_hook");
	struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	const char *preload = getenv("LD_PRELOAD");

	if (!place && preload && strstr(preload, "seekless-test"))
		fail("the test build has no seekless_hook");
	by_handler = handler;
	is_a = 1;
	if (getenv("SHOW"))
		failures_shown = (unsigned)atoi(getenv("SHOW"));
	tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		     -1, 0);
	MUST(tally != MAP_FAILED);
	sigaction(SIGUSR2, &sa, NULL);
	world_make(&world, disk_dir());
	if (place)
		*place = at_hook;
	for (unsigned a = 0; a < COUNT(acts_a); a++)
		run_act(&acts_a[a], place != NULL);
	printf("%u runs, A stopped in %u, B waited for A in %u; %u not judged (sendfile); "
	       "%u results that no order gives, %u broken\n",
	       tally->runs, tally->held, tally->waited, tally->left_out, tally->failures,
	       tally->broken);
	return tally->failures || tally->broken;
}

#endif
