/* SPDX-License-Identifier: MIT */
/* The workers of a row, and their turns. */
#include "bench.h"
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct worker {
	pid_t pid;
	int generation;
	int orders, answers;
	long operations; /* per slice */
};

static const char *library_of(const struct settings *set, enum variant v)
{
	switch (v) {
	case SHIM:
	case OFF:
		return set->library;
	case EMPTY:
		return set->empty;
	case UNCOUNTED:
		return set->uncounted;
	default:
		return NULL;
	}
}

static bool runs(const struct row *row, enum variant v)
{
	if (v == POSITIONED)
		return row->rewrite;
	if (v == UNCOUNTED)
		return row->counts;
	return v == EMPTY || v == OFF ? row->starts : true;
}

double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- starting and ending ---- */

/*
 * In real time where that is allowed (to root): what other programs do meanwhile is not what is
 * to be measured, and with a turn of 2 ms each nobody waits long.
 */
static void schedule(int policy)
{
	struct sched_param p = {.sched_priority = policy == SCHED_FIFO ? 1 : 0};

	sched_setscheduler(0, policy, &p);
}

/*
 * All variants on one processor, on the next one when they are started anew: two processors of
 * a shared machine differ by more than what is to be measured.  Threads are left to the
 * scheduler, and in real time only where each has a processor, because there they would not
 * take turns.
 */
static void place_worker(const struct row *row, int generation)
{
	cpu_set_t may, one;
	int wanted;

	if (sched_getaffinity(0, sizeof(may), &may))
		return;
	if (row->spread) {
		if (row->count > CPU_COUNT(&may))
			schedule(SCHED_OTHER);
		return;
	}
	wanted = generation % CPU_COUNT(&may);
	CPU_ZERO(&one);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &may) && !wanted--)
			CPU_SET(i, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

/* First out of the way: what is to become 3, 4 or 5 may well be one of them now. */
static void place_descriptors(int orders, int answers, int inherited)
{
	orders = fcntl(orders, F_DUPFD_CLOEXEC, 10);
	answers = fcntl(answers, F_DUPFD_CLOEXEC, 10);
	inherited = fcntl(inherited, F_DUPFD_CLOEXEC, 10);
	dup2(orders, FD_ORDERS);
	dup2(answers, FD_ANSWERS);
	dup2(inherited, FD_INHERITED);
}

static void become_worker(const struct settings *set, const struct row *row,
			  const struct place *p, enum variant v)
{
	const char *library = library_of(set, v), *on = v == SHIM || v == UNCOUNTED ? "on" : "off";
	char size[32], count[32];

	snprintf(size, sizeof(size), "%zu", row->size);
	snprintf(count, sizeof(count), "%d", row->count);
	if (library && !row->children) {
		setenv("LD_PRELOAD", library, 1);
		setenv("SEEKLESS", on, 1);
	}
	execl(set->worker, set->worker, row->workload, size, count, p->folder,
	      v == POSITIONED ? "positioned" : "offset", library ? library : "", on,
	      v == SHIM && !row->children ? "expect" : "", (char *)NULL);
	perror(set->worker);
	_exit(1);
}

static bool worker_start(const struct settings *set, const struct row *row,
			 const struct place *p, enum variant v, struct worker *w)
{
	int orders[2], answers[2], inherited;
	char path[4096];

	snprintf(path, sizeof(path), "%s/hot", p->folder);
	inherited = open(path, O_RDONLY | O_CLOEXEC);
	if (inherited < 0 || pipe2(orders, O_CLOEXEC) || pipe2(answers, O_CLOEXEC)) {
		perror("bench: descriptors for a worker");
		exit(1);
	}
	fflush(NULL);
	w->generation++;
	w->pid = fork();
	if (!w->pid) {
		place_descriptors(orders[0], answers[1], inherited);
		place_worker(row, w->generation);
		become_worker(set, row, p, v);
	}
	close(orders[0]);
	close(answers[1]);
	close(inherited);
	w->orders = orders[1];
	w->answers = answers[0];
	return w->pid > 0;
}

static bool worker_end(struct worker *w)
{
	int status;

	if (!w->pid)
		return true;
	close(w->orders);
	close(w->answers);
	waitpid(w->pid, &status, 0);
	w->pid = 0;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* ---- taking turns ---- */

static bool slice(struct worker *w, struct answer *a)
{
	struct order o = {w->operations};

	return write(w->orders, &o, sizeof(o)) == sizeof(o) &&
	       read(w->answers, a, sizeof(*a)) == sizeof(*a);
}

/* How many operations fill a slice.  For each variant by itself: a tell of ours takes 1/200. */
static bool size_slice(struct worker *w, double ns)
{
	struct answer a;

	for (w->operations = 16;;) {
		if (!slice(w, &a))
			return false;
		if (a.took > ns / 2)
			break;
		w->operations *= a.took * 16 < ns ? 8 : 2;
	}
	w->operations = (long)((double)w->operations * ns / a.took) + 1;
	return true;
}

/* Another one first each time, and every second time round the other way. */
static enum variant turn(int round, int i)
{
	int k = (round + i) % VARIANTS;

	return (enum variant)(round / VARIANTS % 2 ? VARIANTS - 1 - k : k);
}

static bool round_take(struct worker *w, struct slices *s, int round)
{
	struct answer a;

	for (int i = 0; i < VARIANTS; i++) {
		enum variant v = turn(round, i);

		if (!s->ran[v])
			continue;
		if (!slice(&w[v], &a))
			return false;
		for (int f = 0; f < FIGURES; f++)
			s->taken[v][f][round] = a.figure[f];
	}
	return true;
}

static bool start_all(const struct settings *set, const struct row *row, const struct place *p,
		      struct worker *w, struct slices *s)
{
	double ms = row->slice_ms ? row->slice_ms : set->quick ? 2 : 4;

	for (int v = 0; v < VARIANTS; v++) {
		if (!s->ran[v])
			continue;
		if (!worker_start(set, row, p, (enum variant)v, &w[v]))
			return false;
		if (row->operations)
			w[v].operations = row->operations;
		else if (!w[v].operations && !size_slice(&w[v], ms * 1e6))
			return false;
	}
	return true;
}

static bool end_all(struct worker *w)
{
	bool ok = true;

	for (int v = 0; v < VARIANTS; v++)
		ok &= worker_end(&w[v]);
	return ok;
}

/*
 * New workers every few rounds: where their memory happens to lie makes a process faster or
 * slower than its twin by a per cent, for all its life.
 */
bool slices_take(const struct settings *set, const struct row *row, const struct place *p,
		 double seconds, struct slices *s)
{
	int each = row->rounds_per_worker ? row->rounds_per_worker : 5;
	int wanted = row->rounds ? row->rounds : 61;
	double began = seconds_now();
	struct worker w[VARIANTS] = {0};
	bool ok = true;

	if (!set->quick && wanted * 3 <= MAX_ROUNDS)
		wanted *= 3;
	for (int v = 0; v < VARIANTS; v++)
		s->ran[v] = runs(row, (enum variant)v);
	schedule(SCHED_FIFO);
	for (s->rounds = 0; ok && s->rounds < wanted; s->rounds++) {
		if (s->rounds >= LEAST_ROUNDS && seconds_now() - began > seconds)
			break;
		if (s->rounds % each == 0)
			ok = end_all(w) && start_all(set, row, p, w, s);
		ok = ok && round_take(w, s, s->rounds);
	}
	ok &= end_all(w);
	schedule(SCHED_OTHER);
	return ok;
}
