/* SPDX-License-Identifier: MIT */
/*
 * All interleavings, by running the case again and again: depth first, each run follows the last one
 * up to a state where another choice is left.
 *
 * Two steps of different threads depend on each other if both touch one thing and one of them changes
 * it, or if one begins a call of the program and the other ends one.  Runs that differ only in the
 * order of independent steps are the same for everybody, and one of them is enough.  The reduction is
 * the dynamic one by source sets, with sleep sets (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014): where
 * a step depends on an earlier one of another thread, and nothing between forces the order, the other
 * order is tried.  A signal is tried before each step of thread 0, a time-out at each state of a sleep.
 *
 * The order of steps is one that all threads agree on (sequential consistency).
 */
#include "order.h"

static int timeouts_left;
bool search_all;
unsigned long search_limit;

/* ---- who can go on ---- */

static bool has_changed(const struct thread *t)
{
	for (int i = 0; i < t->seen_count; i++)
		if (access_value(&t->seen[i]) != t->seen[i].before)
			return true;
	return false;
}

static uint32_t enabled_now(void)
{
	uint32_t enabled = 0;

	for (int i = 0; i < THREADS; i++) {
		const struct thread *t = &threads[i];

		if (t->ended)
			continue;
		if (t->next.wait == SLEEPS && timeouts_left && !t->woken)
			enabled |= BIT(TIMEOUT + i);
		if (t->next.wait == NO_WAIT || (t->next.wait == SLEEPS && t->woken) ||
		    (t->next.wait == AWAITS && has_changed(t)))
			enabled |= BIT(i);
	}
	if (signal_is_due && !threads[0].ended && !threads[0].masked)
		enabled |= BIT(SIGNAL);
	return enabled;
}

/* Nobody can: then a sleep ends by time, or a loop goes round once more.  0: all have ended. */
static uint32_t forced_now(const char **wrong)
{
	int loop = -1, alive = 0;

	for (int i = 0; i < THREADS; i++)
		alive += !threads[i].ended;
	for (int i = 0; i < THREADS; i++) {
		const struct thread *t = &threads[i];

		if (t->ended)
			continue;
		if (t->next.wait == AWAITS) {
			loop = i;
			continue;
		}
		if (alive == 1 &&
		    *(const uint32_t *)t->next.access[1].at != (uint32_t)t->next.access[1].before)
			*wrong = "a thread sleeps, and what it waits for has long come";
		return BIT(TIMEOUT + i);
	}
	return loop < 0 ? 0 : BIT(loop);
}

/* ---- steps ---- */

static int accesses_of(int code, struct access *a)
{
	const struct thread *t = &threads[thread_of(code)];

	if (code < THREADS)
		return step_accesses(t, a);
	a[0] = (struct access){&kernel.sleepers, STORE, sizeof(kernel.sleepers), 0};
	return t->next.wait == SLEEPS;
}

static void execute(struct event *e, int code)
{
	e->code = code;
	e->n = accesses_of(code, e->access);
	for (int i = 0; i < e->n; i++)
		e->access[i].before = access_value(&e->access[i]);
	if (code >= TIMEOUT && timeouts_left)
		timeouts_left--;
	thread_step(thread_of(code), code);
	for (int i = 0; i < e->n; i++)
		if (e->access[i].kind == STORE &&
		    access_value(&e->access[i]) == e->access[i].before)
			e->access[i].kind = LOAD;
	e->touches = touches(e->access, e->n);
}

/* Those that sleep and do not depend on the event sleep on. */
static uint32_t still_asleep(uint32_t sleepers, const struct event *e,
			     struct access pending[CODES][ACCESSES], const int *n)
{
	uint32_t asleep = 0;

	for (int code = 0; code < CODES; code++)
		if (sleepers & BIT(code) && thread_of(code) != thread_of(e->code) &&
		    !conflict(pending[code], n[code], e->access, e->n))
			asleep |= BIT(code);
	return asleep;
}

/* ---- one run ---- */

static int choose(const struct moment *s, int last)
{
	uint32_t can = s->enabled & ~s->asleep;

	if (last >= 0 && can & BIT(thread_of(last)))
		return thread_of(last);
	return __builtin_ctz(can);
}

static void new_moment(struct moment *s, uint32_t asleep, const char **wrong)
{
	s->done = s->todo = 0;
	s->asleep = asleep;
	s->enabled = enabled_now();
	if (!(s->enabled & ~BIT(SIGNAL))) {
		uint32_t forced = forced_now(wrong);

		s->enabled |= forced;
	}
}

/* The signal, before each step of its thread; a time-out, while there is a sleep. */
static void add_choices(struct moment *s, int code)
{
	s->todo |= BIT(code);
	if (search_all)
		s->todo |= s->enabled;
	s->todo |= s->enabled & ~(BIT(TIMEOUT) - 1);
	if (thread_of(code) == 0 || threads[0].next.wait != NO_WAIT)
		s->todo |= s->enabled & BIT(SIGNAL);
}

enum end { WHOLE, CUT, WRONG };

/* Runs along moments[0] to [fresh - 1], then on; *length is where it ended. */
static enum end run(const struct explored *c, int fresh, int *length, const char **wrong)
{
	static struct access pending[CODES][ACCESSES];
	int n[CODES], code = -1;
	uint32_t asleep = 0;

	timeouts_left = c->timeouts;
	for (int i = 0; i < THREADS; i++)
		last_events[i] = -1;
	for (int at = 0; at < STEPS; at++) {
		struct moment *s = &moments[at];
		uint32_t sleepers;

		*length = at;
		if (at >= fresh) {
			new_moment(s, search_all ? 0 : asleep, wrong);
			if (*wrong)
				return WRONG;
			if (!s->enabled)
				return WHOLE;
			if (!(s->enabled & ~s->asleep))
				return CUT;
			code = choose(s, code);
		} else {
			code = s->event.code;
		}
		add_choices(s, code);
		sleepers = at < fresh - 1 ? 0 : s->asleep | s->done;
		for (int i = 0; i < CODES; i++)
			n[i] = sleepers & BIT(i) ? accesses_of(i, pending[i]) : 0;
		execute(&s->event, code);
		s->done |= BIT(code);
		asleep = still_asleep(sleepers & ~BIT(code), &s->event, pending, n);
		if (at >= fresh - 1)
			order(at);
		else
			last_events[thread_of(code)] = at;
	}
	*wrong = "no end in sight";
	return WRONG;
}

/* The next run differs in the last state that has something left: up to where it is as before. */
static int next_run(int length)
{
	for (int at = length - 1; at >= 0; at--) {
		struct moment *s = &moments[at];
		uint32_t left = s->todo & ~s->done & ~s->asleep;

		if (left) {
			s->event.code = __builtin_ctz(left);
			return at + 1;
		}
	}
	return 0;
}

static void keep_schedule(struct found *f, int length)
{
	for (int i = 0; i < length; i++)
		f->schedule[i] = (char)('0' + moments[i].event.code);
	f->schedule[length] = 0;
}

void search(const struct explored *c, struct found *f)
{
	int fresh = 0, length;
	enum end end;

	if (!case_begin(c)) {
		f->wrong = "the start is wrong already";
		return;
	}
	f->cases++;
	do {
		case_rewind();
		end = run(c, fresh, &length, &f->wrong);
		if (end == WHOLE)
			f->wrong = case_judge();
		f->whole += end == WHOLE;
		f->strays += kernel.stray;
		f->cut += end == CUT;
		if (f->longest < (unsigned long)length)
			f->longest = (unsigned long)length;
		if (f->wrong) {
			keep_schedule(f, length);
			return;
		}
		fresh = next_run(length);
	} while (fresh && !(search_limit && f->whole >= search_limit));
	f->unfinished = fresh;
}

const char *search_replay(const struct explored *c, const char *schedule)
{
	const char *wrong = NULL;
	struct event e;

	if (!case_begin(c))
		return "the start is wrong already";
	case_rewind();
	timeouts_left = STEPS;
	for (; *schedule; schedule++) {
		int code = *schedule - '0';

		if (code < 0 || code >= CODES || threads[thread_of(code)].ended)
			return "this schedule is not one of this case";
		show_step(code, &threads[thread_of(code)].next);
		execute(&e, code);
	}
	if (!enabled_now() && !forced_now(&wrong))
		wrong = case_judge();
	case_print_history();
	return wrong;
}
