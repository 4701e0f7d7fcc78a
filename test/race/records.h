/* SPDX-License-Identifier: MIT */
/*
 * records.h - two threads share open file descriptions (ofds), and every record counts.
 *
 * A file of SLOTS old records is opened and seeked anew.  Each read or write of 16 bytes takes
 * the next slot: a read must find the old record of that slot, a write replaces it.  At the end
 * every slot up to the offset was either read by one call, or holds the record that one call
 * wrote; nothing behind the offset was touched; the offset is the number of calls.  A lost
 * update reads a slot twice or overwrites a record; a gap leaves a slot that nobody read.
 *
 * The two threads work on two ofds at a time.  Mostly each has one for itself, so that the shim
 * keeps the offsets; in between both meet on one ofd for a few records, so that it is
 * contended; then they change over.  Three programs are made from this: plain, with signals,
 * with cancelled threads.
 */
#ifndef RACE_RECORDS_H
#define RACE_RECORDS_H

#include "race/race.h"
#include "race/records-check.h"
#include "race/records-meet.h"

enum mode { PLAIN, SIGNALS, CANCEL };

/* The steps of a pair of ofds.  Between two steps the threads meet, except after START. */
enum step { START, MY_OWN, BOTH_0, BOTH_1, THE_OTHER, CHECK, STEPS };
static const unsigned quota[STEPS] = {
	[MY_OWN] = ALONE_FIRST, [BOTH_0] = TOGETHER, [BOTH_1] = TOGETHER, [THE_OTHER] = ALONE_LAST};

static enum mode mode;
static struct meeting meeting;
static __thread struct worker *self;

static void take_read(struct worker *w, struct ofd *o, const struct rec *r, int in_handler)
{
	if (!rec_ok(r) || r->tag != o->tag || r->who != OLD || r->n >= SLOTS)
		fail("round %u: read a record that was never there: tag %u who %u n %u", o->tag,
		     r->tag, r->who, r->n);
	if (r->n < w->bound[o->side])
		fail("round %u: read slot %u, but was at %u before", o->tag, r->n,
		     w->bound[o->side]);
	w->bound[o->side] = r->n + 1;
	w->seen[o->side][in_handler][r->n]++;
}

static void tell(struct worker *w, struct ofd *o)
{
	off_t at = lseek(o->fd, 0, SEEK_CUR);

	if (at < 0 || at % (off_t)sizeof(struct rec) || at / (off_t)sizeof(struct rec) > SLOTS)
		fail("round %u: tell is %ld", o->tag, (long)at);
	at /= (off_t)sizeof(struct rec);
	if (at < w->bound[o->side])
		fail("round %u: tell is %ld, but was %u before", o->tag, (long)at,
		     w->bound[o->side]);
	w->bound[o->side] = (unsigned)at;
}

/* One read or write; the only place where a thread is cancelled. */
static void one_call(struct worker *w, struct ofd *o)
{
	uint32_t dice = rnd(&w->rng);
	struct rec r = rec_make(o->tag, (uint32_t)w->id, w->made[o->side][0]);
	int old, writes = dice & 1;
	ssize_t n;

	if ((dice & 0xe) == 0)
		tell(w, o);
	w->flight = (struct flight){.live = 1, .side = o->side, .writes = writes};
	w->made[o->side][0] += (unsigned)writes;
	w->busy_with = o;
	if (mode == CANCEL)
		pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
	n = writes ? write(o->fd, &r, sizeof r) : read(o->fd, &w->buf, sizeof w->buf);
	if (mode == CANCEL)
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	w->busy_with = NULL;
	w->flight.live = 0;
	if (n != sizeof r)
		fail("round %u: %s gave %zd", o->tag, writes ? "write" : "read", n);
	if (writes)
		w->bound[o->side]++;
	else
		take_read(w, o, &w->buf, 0);
	w->done[o->side][0]++;
}

/* The handler: the same descriptor, while its thread is inside the call, or just before or
 * after. */
static void on_tick(int sig)
{
	struct worker *w = self;
	struct ofd *o = w ? w->busy_with : NULL;
	int saved = errno, side;
	struct rec r;

	(void)sig;
	if (!o || w->done[o->side][1] >= HANDLER_MOST)
		return;
	side = o->side;
	if (rnd(&w->handler_rng) % 4) {
		if (read(o->fd, &r, sizeof r) != sizeof r)
			fail("round %u: read in the handler", o->tag);
		/* The call that was interrupted may come before or after: no order to check. */
		if (!rec_ok(&r) || r.tag != o->tag || r.who != OLD || r.n >= SLOTS)
			fail("round %u: handler read a record that was never there", o->tag);
		w->seen[side][1][r.n]++;
	} else {
		r = rec_make(o->tag, (uint32_t)w->id + 2, w->made[side][1]++);
		if (write(o->fd, &r, sizeof r) != sizeof r)
			fail("round %u: write in the handler", o->tag);
	}
	w->done[side][1]++;
	errno = saved;
}

static void run_step(struct worker *w)
{
	int mine = w->id, other = !w->id;

	switch (w->step) {
	case START:
		ofd_start(&ofds[mine], w->pair);
		return;
	case MY_OWN:
	case THE_OTHER:
		for (; w->left; w->left--)
			one_call(w, &ofds[w->step == MY_OWN ? mine : other]);
		break;
	case BOTH_0:
	case BOTH_1:
		for (; w->left; w->left--) {
			keep_pace(w,
				  (w->pair * STEPS + w->step) * PLACES + quota[w->step] - w->left);
			one_call(w, &ofds[w->step == BOTH_1]);
		}
		break;
	case CHECK:
		ofd_check(&ofds[mine]);
		return;
	}
	if (w->id == 0 && w->step == THE_OTHER && w->pair + 1 == pairs)
		more_if_needed();
	meet(&meeting, 2);
}

/* A thread that was cancelled is followed by another one, which goes on where it was. */
static void *work(void *arg)
{
	struct worker *w = arg;
	timer_t timer = 0;
	int old;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	self = w;
	if (mode == SIGNALS)
		timer = tick_start(SIGRTMIN, on_tick, 200);
	while (w->pair < pairs) {
		run_step(w);
		w->step = (w->step + 1) % STEPS;
		w->left = quota[w->step];
		w->naps = NAPS;
		if (!w->step)
			w->pair++;
	}
	self = NULL;
	if (mode == SIGNALS)
		timer_delete(timer);
	atomic_store(&w->finished, 1);
	return NULL;
}

/* What the cancelled call did is unknown: it counts as done or as not done, once. */
static void after_cancel(struct worker *w)
{
	struct flight *f = &w->flight;

	if (!f->live)
		fail("a thread ended outside a call");
	w->lost[f->side][f->writes]++;
	if (!f->writes && rec_ok(&w->buf) && w->buf.tag == ofds[f->side].tag &&
	    w->buf.n >= w->bound[f->side])
		cancelled_inside++;
	f->live = 0;
	w->left--;
}

static void cancel_and_replace(struct worker *w)
{
	void *result;

	pthread_cancel(w->thread);
	MUST(pthread_join(w->thread, &result) == 0);
	if (result != PTHREAD_CANCELED) {
		MUST(atomic_load(&w->finished));
		w->joined = 1;
		return;
	}
	cancelled++;
	after_cancel(w);
	MUST(pthread_create(&w->thread, NULL, work, w) == 0);
}

static void cancel_often(void)
{
	uint64_t rng = 42;

	for (unsigned i = 0; !atomic_load(&workers[0].finished); i++) {
		struct timespec nap = {0, 300000 + rnd(&rng) % 3000000};

		nanosleep(&nap, NULL);
		if (!workers[i % 2].joined)
			cancel_and_replace(&workers[i % 2]);
	}
}

/* What is exact has been checked on the way; here, whether it was enough. */
static int verdict(unsigned long wanted)
{
	unsigned long calls = atomic_load(&calls_done), handled = atomic_load(&handler_calls);
	unsigned long retries, met;

	counters_take();
	retries = counter("retry");
	met = retries + counter("wait");
	printf("%lu calls on %u ofds in %.1f s, %lu in handlers, %u threads cancelled (%u "
	       "reads inside); shim: %lu served, %lu retries, %lu waits, %lu let go\n",
	       calls, 2 * pairs, now() - start, handled, cancelled, cancelled_inside,
	       counter("read.positioned") + counter("write.positioned"), retries, counter("wait"),
	       counter("gone.contention"));
	MUST(calls >= wanted);
	counter_half_served(calls);
	if (mode == CANCEL && cancelled < wanted / 10000)
		fail("only %u threads were cancelled", cancelled);
	if (mode == SIGNALS && handled < wanted / 10000)
		fail("only %lu calls in handlers", handled);
	if (met_enough())
		return 0;
	if (!met)
		fail("nothing was tested: the threads never met\n%s", report_text);
	printf("this machine's processors seldom run at the same time: %lu of %lu meetings, "
	       "%lu descriptions let go\n",
	       retries, retries_wanted, counter("gone.contention"));
	return 77;
}

static void workers_run(void)
{
	for (int i = 0; i < 2; i++) {
		workers[i].id = i;
		workers[i].rng = 88172645463325252ull + (unsigned)i;
		workers[i].handler_rng = 99 + (unsigned)i;
		MUST(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0);
	}
	if (mode == CANCEL)
		cancel_often();
	for (int i = 0; i < 2; i++)
		if (!workers[i].joined)
			MUST(pthread_join(workers[i].thread, NULL) == 0);
}

static int records_main(enum mode m, char **argv)
{
	/* The full number where it counts; bare, and where contention never lets go, a sample. */
	unsigned long full = !shim_is_on() || getenv("SEEKLESS_TEST_KEEP") ? 1000000 : 10000000;
	unsigned long wanted = amount(full);
	unsigned per_pair = 2 * (ALONE_FIRST + 2 * TOGETHER + ALONE_LAST);
	cpu_set_t cpus;

	if (m != SIGNALS && sched_getaffinity(0, sizeof cpus, &cpus) == 0 && CPU_COUNT(&cpus) < 2) {
		printf("two threads meet inside a call only where there are two processors\n");
		return 77;
	}
	counters_ready(argv);
	start = now();
	mode = m;
	pairs = (unsigned)(wanted * 101 / 100 / per_pair) + 1;
	pairs_most = 3 * pairs;
	retries_wanted = wanted / 10000;
	files_make();
	workers_run();
	return verdict(wanted);
}

#endif
