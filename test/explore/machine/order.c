/* SPDX-License-Identifier: MIT */
/* Which steps of a run depend on each other, and where the other order is to be tried; see search.c. */
#include "order.h"

struct moment moments[STEPS];
int last_events[THREADS];

bool conflict(const struct access *a, int n, const struct access *b, int m)
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < m; k++)
			if (a[i].at == b[k].at && (a[i].kind != b[k].kind || a[i].kind == STORE))
				return true;
	return false;
}

uint64_t touches(const struct access *a, int n)
{
	uint64_t bits = 0;

	for (int i = 0; i < n; i++)
		bits |= 1UL << ((uintptr_t)a[i].at * 0x9e3779b97f4a7c15 >> 58);
	return bits;
}

static bool comes_after(const struct event *e, const struct event *earlier)
{
	return e->clock[thread_of(earlier->code)] >= earlier->number;
}

/* The event at `at` races with that at `early`: is the other order among what is tried there? */
static void race(int early, int at)
{
	struct moment *s = &moments[early];
	uint32_t firsts = 0;
	int first_number[THREADS] = {0}, mine = -1;

	for (int i = early + 1; i <= at; i++) {
		const struct event *e = &moments[i].event;
		int thread = thread_of(e->code);
		bool is_first = true;

		if (comes_after(e, &s->event) && i != at)
			continue;
		for (int k = 0; k < THREADS; k++)
			if (first_number[k] && (k == thread || e->clock[k] >= first_number[k]))
				is_first = false;
		if (!first_number[thread])
			first_number[thread] = e->number;
		if (!is_first || !(s->enabled & BIT(e->code)))
			continue;
		firsts |= BIT(e->code);
		if (mine < 0 || i == at)
			mine = e->code;
	}
	if (firsts && !(firsts & (s->todo | s->asleep)))
		s->todo |= BIT(mine);
}

void order(int at)
{
	struct event *e = &moments[at].event;
	int thread = thread_of(e->code), last = last_events[thread];

	if (last >= 0)
		memcpy(e->clock, moments[last].event.clock, sizeof(e->clock));
	else
		memset(e->clock, 0, sizeof(e->clock));
	e->number = e->clock[thread] + 1;
	last_events[thread] = at;
	for (int i = at - 1; i >= 0; i--) {
		const struct event *early = &moments[i].event;

		if (!(early->touches & e->touches) || thread_of(early->code) == thread ||
		    !conflict(early->access, early->n, e->access, e->n))
			continue;
		if (!comes_after(e, early))
			race(i, at);
		for (int k = 0; k < THREADS; k++)
			if (e->clock[k] < early->clock[k])
				e->clock[k] = early->clock[k];
	}
	e->clock[thread] = e->number;
}
