/* SPDX-License-Identifier: MIT */
/* What the slices of a row say: medians of paired values, their intervals, and verdicts. */
#include "bench.h"
#include <stdlib.h>
#include <string.h>

static double compare(enum how how, double shim, double other)
{
	return how == TIMES ? other / shim : how == OVER ? shim - other : shim;
}

static const char *verdict(const struct comparison *c, struct interval is)
{
	bool least = c->how == TIMES;

	if (!c->target)
		return "";
	if (least ? is.low >= c->target : is.high <= c->target)
		return "passes";
	if (least ? is.high < c->target : is.low > c->target)
		return "short";
	return "open";
}

/*
 * Slices of the same process are not as independent as the sign test takes them to be: one
 * process may be slower than its twin throughout.  Native against native tells by how much this
 * can be, where its whole interval lies off equality.
 */
static void widen(enum how how, struct interval *is, struct interval aa)
{
	double equal = how == TIMES ? 1 : 0;
	double off = aa.low > equal ? aa.low - equal : aa.high < equal ? equal - aa.high : 0;

	if (how == ITSELF)
		return;
	is->low -= how == TIMES ? off * is->low : off;
	is->high += how == TIMES ? off * is->high : off;
}

bool finding_of(const struct row *row, const struct comparison *c, const struct slices *s,
		struct finding *f)
{
	const double *shim = s->taken[SHIM][c->figure],
		     *other = s->taken[c->against][c->figure];
	const double *native = s->taken[NATIVE][c->figure], *again = s->taken[AGAIN][c->figure];
	double paired[MAX_ROUNDS], equals[MAX_ROUNDS],
		unit = c->how == TIMES ? 1 : row->per_unit;

	if (c->how == NOTHING)
		return false;
	for (int i = 0; i < s->rounds; i++) {
		paired[i] = compare(c->how, shim[i], other[i]) / unit;
		equals[i] = compare(c->how == TIMES ? TIMES : OVER, again[i], native[i]) / unit;
	}
	*f = (struct finding){
		.is = interval_of(paired, s->rounds),
		.aa = interval_of(equals, s->rounds),
		.other = interval_of(other, s->rounds),
		.shim = interval_of(shim, s->rounds),
	};
	widen(c->how, &f->is, f->aa);
	f->verdict = verdict(c, f->is);
	return true;
}
