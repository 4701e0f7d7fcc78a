/* SPDX-License-Identifier: MIT */
/* records-check.h - the files, the ofds and the book-keeping of records.h: what was read and
 * written. */
#ifndef RACE_RECORDS_CHECK_H
#define RACE_RECORDS_CHECK_H

#include "race/race.h"

/* Calls on one ofd: by its thread alone, by each of two together (twice: see records.h), by the
 * other.  Together for long, because on a busy machine two threads seldom run at the same time.
 */
enum { ALONE_FIRST = 560, TOGETHER = 120, ALONE_LAST = 100, HANDLER_MOST = 30 };
enum { SLOTS = ALONE_FIRST + 2 * TOGETHER + ALONE_LAST + 2 * HANDLER_MOST };
enum { OLD = 99 }; /* who: the record that was there at the start */

struct ofd {
	int side; /* 0 or 1: which of the pair, and of the arrays below */
	int fd;
	int plain; /* a descriptor of its own, for looking at the file */
	uint32_t tag;
};

struct flight {
	int live, side, writes;
};

/* [side] is the ofd; the second index tells what the handler did from what the thread did. */
struct worker {
	int id;
	pthread_t thread;
	unsigned pair, step, left, naps;
	_Atomic unsigned place; /* how far it is in the steps where both meet */
	int joined;
	_Atomic int finished;
	uint64_t rng, handler_rng;
	struct rec buf;
	struct flight flight;
	struct ofd *volatile busy_with;
	unsigned bound[2];   /* no later call of this thread may be before this slot */
	unsigned made[2][2]; /* records written, or begun to be */
	unsigned done[2][2]; /* calls that came back */
	unsigned lost[2][2]; /* cancelled reads, cancelled writes */
	uint8_t seen[2][2][SLOTS];
};

static struct ofd ofds[2];
static struct worker workers[2] __attribute__((aligned(128)));
static const char *paths[2][2]; /* [on tmpfs][side] */
static int plains[2][2];
static _Atomic unsigned long calls_done, handler_calls;
static unsigned cancelled, cancelled_inside;

static void files_make(void)
{
	for (int fs = 0; fs < 2; fs++)
		for (int side = 0; side < 2; side++) {
			paths[fs][side] = new_path(fs ? "/dev/shm" : disk_dir());
			plains[fs][side] = open(paths[fs][side], O_RDWR | O_CLOEXEC);
			MUST(plains[fs][side] >= 0);
		}
}

/* Old records, a new ofd, and a seek that names a place. */
static void ofd_start(struct ofd *o, unsigned pair)
{
	struct rec old[SLOTS];
	int side = (int)(o - ofds), fs = pair % 8 == 7;

	o->side = side;
	o->tag = 2 * pair + (unsigned)side;
	o->plain = plains[fs][side];
	for (unsigned i = 0; i < SLOTS; i++)
		old[i] = rec_make(o->tag, OLD, i);
	MUST(pwrite(o->plain, old, sizeof old, 0) == sizeof old);
	o->fd = open(paths[fs][side], O_RDWR | O_CLOEXEC);
	MUST(o->fd >= 0);
	MUST(lseek(o->fd, 5 * sizeof(struct rec), SEEK_SET) == 5 * sizeof(struct rec));
	MUST(lseek(o->fd, 0, SEEK_SET) == 0);
}

static unsigned reads_of(int side, unsigned slot)
{
	unsigned n = 0;

	for (int w = 0; w < 2; w++)
		n += workers[w].seen[side][0][slot] + workers[w].seen[side][1][slot];
	return n;
}

/* One slot of the file at the end; `used` if the offset went past it. Returns whether nobody
 * had it. */
static unsigned slot_check(struct ofd *o, const struct rec *r, unsigned slot, int used,
			   uint8_t (*found)[SLOTS])
{
	unsigned reads = reads_of(o->side, slot);

	if (!rec_ok(r) || r->tag != o->tag)
		fail("round %u slot %u: no record of this round: tag %u who %u n %u", o->tag, slot,
		     r->tag, r->who, r->n);
	if (!used && (reads || r->who != OLD))
		fail("round %u slot %u: touched, but behind the offset", o->tag, slot);
	if (r->who == OLD) {
		if (r->n != slot || reads > 1)
			fail("round %u slot %u: read %u times", o->tag, slot, reads);
		return used && !reads;
	}
	if (r->who > 3 || r->n >= SLOTS || found[r->who][r->n]++)
		fail("round %u slot %u: record %u of writer %u is there twice", o->tag, slot, r->n,
		     r->who);
	if (reads)
		fail("round %u slot %u: read and overwritten", o->tag, slot);
	return 0;
}

static void writers_check(struct ofd *o, uint8_t (*found)[SLOTS])
{
	for (unsigned who = 0; who < 4; who++) {
		struct worker *w = &workers[who & 1];
		unsigned missing = 0, allowed = who < 2 ? w->lost[o->side][1] : 0;

		for (unsigned n = 0; n < w->made[o->side][who / 2]; n++)
			missing += !found[who][n];
		if (missing > allowed)
			fail("round %u: %u records of writer %u are lost (%u cancelled)", o->tag,
			     missing, who, allowed);
	}
}

static void worker_clear(struct worker *w, int side)
{
	atomic_fetch_add(&calls_done, w->done[side][0] + w->done[side][1]);
	atomic_fetch_add(&handler_calls, w->done[side][1]);
	w->bound[side] = 0;
	memset(w->made[side], 0, sizeof w->made[side]);
	memset(w->done[side], 0, sizeof w->done[side]);
	memset(w->lost[side], 0, sizeof w->lost[side]);
	memset(w->seen[side], 0, sizeof w->seen[side]);
}

/* Both threads have left this ofd: is every call accounted for? */
static void ofd_check(struct ofd *o)
{
	uint8_t found[4][SLOTS] = {{0}};
	struct rec is[SLOTS];
	unsigned done = 0, lost[2] = {0, 0}, unread = 0;
	off_t end = lseek(o->fd, 0, SEEK_CUR);
	unsigned used = (unsigned)(end / (off_t)sizeof(struct rec));

	for (int w = 0; w < 2; w++) {
		done += workers[w].done[o->side][0] + workers[w].done[o->side][1];
		lost[0] += workers[w].lost[o->side][0];
		lost[1] += workers[w].lost[o->side][1];
	}
	MUST(pread(o->plain, is, sizeof is, 0) == sizeof is);
	for (unsigned slot = 0; slot < SLOTS; slot++)
		unread += slot_check(o, &is[slot], slot, slot < used, found);
	if (unread > lost[0])
		fail("round %u: nobody has %u slots (%u reads cancelled)", o->tag, unread, lost[0]);
	writers_check(o, found);
	if (end % (off_t)sizeof(struct rec) || used < done || used > done + lost[0] + lost[1])
		fail("round %u: offset %ld after %u calls", o->tag, (long)end, done);
	for (int w = 0; w < 2; w++)
		worker_clear(&workers[w], o->side);
	MUST(close(o->fd) == 0);
}

#endif
