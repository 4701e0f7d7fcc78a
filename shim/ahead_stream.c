/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: which reads make a scan, whether to read ahead of it, and how far. */
#include "ahead.h"
#include <string.h>

enum {
	RUN_LEAST = 3,	    /* reads as expected, before it is a scan */
	WAITS_LEAST = 2,    /* one may be a neighbour's */
	SAME_LEAST = 3,	    /* distances in a row that are the same as the one before: strided */
	MISSES_MOST = 8,    /* in a row: random */
	WINDOW_LARGE = 256, /* in KiB: above, the kernel does as well or better (READAHEAD.md) */
	STREAM_OLD = 64,    /* reads of the file: a scan that has not come on gives up its place */
};
#define STRETCH (4 * MIB) /* of a scan, that is compared with what was before */
#define QUIET (64 * MIB)
#define DISTANCE_FIRST (512 * KIB)
#define DISTANCE_MOST (4 * MIB)

/* ---- whether to ---- */

/* The last of what was asked for was not there in time: ask earlier. */
static void go_further(struct ahead_stream *s)
{
	if (ahead_is_auto() && s->distance < DISTANCE_MOST)
		s->distance *= 2;
}

/*
 * The kernel's own reading ahead is as good where its window is large.  Where that cannot be told, it
 * is small if a scan waits as often.  A file whose reads wait one by one is not read ahead at all: it
 * was advised POSIX_FADV_RANDOM.
 */
static bool kernel_does_it(const struct ahead_file *f, const struct ahead_stream *s)
{
	if (!ahead_is_auto() || s->kind != AHEAD_FORWARD || (s->run >= 16 && s->waits * 2 > s->run))
		return false;
	if (f->window >= 0)
		return f->window > WINDOW_LARGE;
	return s->bytes_before < (uint64_t)MIB || s->waits * (WINDOW_LARGE * KIB) < s->bytes_before;
}

static void start(struct ahead_file *f, struct ahead_stream *s, int fd)
{
	if (s->run < RUN_LEAST || s->quiet > 0 || (ahead_is_auto() && s->waits < WAITS_LEAST))
		return;
	ahead_learn(f, fd);
	if (f->never)
		return;
	if (kernel_does_it(f, s)) {
		if (!s->left && f->window > WINDOW_LARGE)
			count(C_ahead_window);
		s->left = true;
		return;
	}
	count(C_ahead_scans);
	s->asking = true;
	s->asked = s->kind == AHEAD_FORWARD ? s->end : s->off;
	s->distance = ahead_is_auto() ? DISTANCE_FIRST : (int64_t)config.ahead;
	s->ticks = s->bytes = 0;
	s->worse = 0;
	s->since_wait = 0;
}

/* Each stretch is compared with the reads before it was asked for anything. */
static void judge(struct ahead_stream *s)
{
	double before = (double)s->ticks_before / (double)(s->bytes_before | 1);

	if (!ahead_is_auto() || s->bytes < (uint64_t)STRETCH)
		return;
	s->worse = (double)s->ticks / (double)s->bytes < before ? 0 : s->worse + 1;
	s->ticks = s->bytes = 0;
	if (s->worse >= 2)
		ahead_stop(s, C_ahead_useless, QUIET);
	else if (s->since_wait > 4 * STRETCH)
		ahead_stop(s, C_ahead_cached, 0); /* or we are good; the next wait will tell */
}

static bool was_asked_for(const struct ahead_stream *s, int64_t off, int64_t end)
{
	if (!s->asking)
		return false;
	if (s->kind == AHEAD_FORWARD)
		return end <= s->asked;
	if (s->kind == AHEAD_BACKWARD)
		return off >= s->asked;
	return s->step > 0 ? off <= s->asked : off >= s->asked;
}

static void goes_on(struct ahead_file *f, struct ahead_stream *s, struct ahead_seen *seen)
{
	int64_t end = seen->off + seen->n;
	bool asked = was_asked_for(s, seen->off, end);

	s->off = seen->off;
	s->end = end;
	s->used = f->reads;
	s->run++;
	s->waits += seen->waited;
	s->quiet -= s->quiet > 0 ? seen->n : 0;
	s->since_wait = seen->waited ? 0 : s->since_wait + seen->n;
	if (asked)
		count(seen->waited ? C_ahead_late : C_ahead_ready);
	else if (seen->waited)
		count(C_ahead_waited);
	if (asked && seen->waited)
		go_further(s);
	if (s->asking) {
		s->ticks += seen->ticks;
		s->bytes += (uint64_t)seen->n;
	} else {
		s->ticks_before += seen->ticks;
		s->bytes_before += (uint64_t)seen->n;
		start(f, s, seen->fd);
	}
	if (s->asking)
		ahead_ask_on(f, s, seen);
	if (s->asking)
		judge(s);
}

/* ---- which scan a read belongs to ---- */

static enum ahead_kind continues(const struct ahead_stream *s, const struct ahead_seen *r)
{
	if (!s->end)
		return AHEAD_NEW;
	if (r->off == s->end && s->kind != AHEAD_BACKWARD && s->kind != AHEAD_STRIDED)
		return AHEAD_FORWARD;
	if (r->off + r->n == s->off && s->kind != AHEAD_FORWARD && s->kind != AHEAD_STRIDED)
		return AHEAD_BACKWARD;
	return s->kind == AHEAD_STRIDED && r->off == s->off + s->step ? AHEAD_STRIDED : AHEAD_NEW;
}

/* One that is none yet; or the one that has not come on for the longest time, if that is long. */
static struct ahead_stream *place_for_new(struct ahead_file *f)
{
	struct ahead_stream *oldest = NULL;

	for (int i = 0; i < AHEAD_STREAMS; i++) {
		struct ahead_stream *s = &f->stream[i];

		if (s->run >= RUN_LEAST && f->reads - s->used < STREAM_OLD)
			continue;
		if (!oldest || (int32_t)(s->used - oldest->used) < 0)
			oldest = s;
	}
	return oldest;
}

static void begin(struct ahead_file *f, const struct ahead_seen *r, int64_t gap)
{
	struct ahead_stream *s = place_for_new(f);

	if (!s)
		return;
	memset(s, 0, sizeof(*s));
	s->off = r->off;
	s->end = r->off + r->n;
	s->used = f->reads;
	s->waits = r->waited;
	if (gap) {
		s->kind = AHEAD_STRIDED;
		s->step = gap;
		s->run = RUN_LEAST - 1;
	}
}

/* Reads have not been looked at for a while: scans that are not asked for have gone on, or have ended. */
static void forget(struct ahead_file *f)
{
	for (int i = 0; i < AHEAD_STREAMS; i++)
		if (!f->stream[i].asking && !f->stream[i].quiet)
			memset(&f->stream[i], 0, sizeof(f->stream[i]));
}

bool ahead_saw(struct ahead_file *f, const struct ahead_seen *seen)
{
	struct ahead_seen r = *seen;
	int64_t gap = r.off - f->last_off;

	f->same = gap && gap == f->last_gap ? f->same + (f->same < SAME_LEAST) : 0;
	if (seen->fresh)
		forget(f);
	f->last_off = r.off;
	f->last_gap = gap;
	for (int i = 0; i < AHEAD_STREAMS; i++) {
		struct ahead_stream *s = &f->stream[i];
		enum ahead_kind kind = continues(s, &r);

		if (kind == AHEAD_NEW)
			continue;
		s->kind = (uint8_t)kind;
		f->misses = 0;
		if (s->run >= RUN_LEAST)
			f->level = 0;
		goes_on(f, s, &r);
		return s->asking;
	}
	if (++f->misses >= MISSES_MOST && !f->same) {
		f->misses = 0;
		f->skip = 16U << f->level;
		f->level += f->level < 6;
		count(C_ahead_random);
		return false;
	}
	begin(f, &r, f->same >= SAME_LEAST ? gap : 0);
	return false;
}
