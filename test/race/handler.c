/* SPDX-License-Identifier: MIT */
/*
 * handler.c - one thread seeks, reads and writes; every 200 us a signal handler does the same
 * on the same descriptor and puts the offset back, so that the program must not notice it.  In
 * some rounds the handler takes records away instead: then program and handler together must
 * account for each.
 */
#include "race/race.h"
#include <sys/uio.h>

/* The file in slots: what the program reads, and writes, and the same for the handler. */
enum {
	PART = 1024,
	MY_READS = 0,
	MY_WRITES = PART,
	ITS_READS = 2 * PART,
	ITS_WRITES = 3 * PART
};
enum { SLOTS = 4 * PART, TAG = 7, FIRST = 1, REC = sizeof(struct rec) };

static int fd;
static uint64_t rng = 1234567, handler_rng = 7654321;
static uint32_t version[SLOTS]; /* who: goes up with each write */
static volatile int live, takes;
static volatile long at_before, at_after; /* where the call under way starts and ends */
static volatile unsigned taken, ticks;
static unsigned long calls;

static void same(const struct rec *r, long slot, const char *where)
{
	if (!rec_ok(r) || r->tag != TAG || r->n != slot || r->who != version[slot])
		fail("%s: slot %ld version %u: read tag %u n %u version %u", where, slot,
		     slot < SLOTS ? version[slot] : 0, r->tag, r->n, r->who);
}

static void handler_seek(long slot)
{
	if (lseek(fd, slot * REC, SEEK_SET) != slot * REC)
		fail("handler: lseek to %ld", slot);
}

/* Somewhere else, there and back. */
static void handler_visit(void)
{
	long back = lseek(fd, 0, SEEK_CUR), slot = rnd(&handler_rng) % PART;
	struct rec r;

	if (back != at_before * REC && back != at_after * REC)
		fail("handler: offset %ld is neither %ld nor %ld", back, at_before * REC,
		     at_after * REC);
	if (rnd(&handler_rng) % 2) {
		handler_seek(ITS_READS + slot);
		MUST(read(fd, &r, REC) == REC);
		same(&r, ITS_READS + slot, "handler");
	} else {
		slot += ITS_WRITES;
		handler_seek(slot);
		MUST(read(fd, &r, REC) == REC);
		same(&r, slot, "handler");
		r = rec_make(TAG, ++version[slot], (uint32_t)slot);
		handler_seek(slot);
		MUST(write(fd, &r, REC) == REC);
	}
	if (rnd(&handler_rng) % 4 == 0)
		MUST(lseek(fd, 0, SEEK_END) == SLOTS * REC);
	if (lseek(fd, back, SEEK_SET) != back)
		fail("handler: lseek back to %ld", back);
}

static void on_tick(int sig)
{
	int saved = errno;
	struct rec r;

	(void)sig;
	if (!live)
		return;
	ticks++;
	if (!takes) {
		handler_visit();
	} else if (taken < 4) {
		MUST(read(fd, &r, REC) == REC);
		same(&r, r.n % PART, "handler takes");
		taken++;
	}
	errno = saved;
}

static void moving(long from, long to)
{
	at_before = from;
	at_after = to;
}

/* From `from`, where we are, to `to`. */
static void seek_to(long from, long to)
{
	off_t is;

	moving(from, to);
	if (rnd(&rng) % 3)
		is = lseek(fd, to * REC, SEEK_SET);
	else if (rnd(&rng) % 2)
		is = lseek(fd, (to - from) * REC, SEEK_CUR);
	else
		is = lseek(fd, (to - SLOTS) * REC, SEEK_END);
	if (is != to * REC)
		fail("lseek to %ld gave %ld", to * REC, (long)is);
}

static void read_at(long slot)
{
	struct rec r;
	struct iovec v[2] = {{&r, 4}, {(char *)&r + 4, REC - 4}};

	moving(slot, slot + 1);
	MUST((rnd(&rng) % 4 ? read(fd, &r, REC) : readv(fd, v, 2)) == REC);
	same(&r, slot, "read");
	calls++;
}

static void write_at(long slot)
{
	struct rec r = rec_make(TAG, ++version[slot], (uint32_t)slot);
	struct iovec v[2] = {{&r, 4}, {(char *)&r + 4, REC - 4}};

	moving(slot, slot + 1);
	MUST((rnd(&rng) % 4 ? write(fd, &r, REC) : writev(fd, v, 2)) == REC);
	calls++;
}

/* Eight reads in a row, while the handler takes what comes next. */
static void read_with_takers(long slot)
{
	long last = slot - 1;
	struct rec r;

	taken = 0;
	takes = 1;
	for (int i = 0; i < 8; i++) {
		MUST(read(fd, &r, REC) == REC);
		same(&r, r.n % PART, "read with takers");
		if (r.n <= last)
			fail("read slot %u after %ld", r.n, last);
		last = r.n;
		calls++;
	}
	/* The handler goes on until here. */
	takes = live = 0;
	if (lseek(fd, 0, SEEK_CUR) != (slot + 8 + taken) * REC)
		fail("8 reads and %u in the handler moved the offset from %ld to %ld", taken,
		     slot * REC, (long)lseek(fd, 0, SEEK_CUR));
	MUST(lseek(fd, (slot + 8) * REC, SEEK_SET) == (slot + 8) * REC);
	moving(slot + 8, slot + 8);
	live = 1;
}

static long one_round(long here)
{
	long slot = rnd(&rng) % (PART - 16);

	switch (rnd(&rng) % 4) {
	case 0:
		seek_to(here, slot);
		read_at(slot);
		read_at(slot + 1);
		return slot + 2;
	case 1:
		slot += MY_WRITES;
		seek_to(here, slot);
		write_at(slot);
		write_at(slot + 1);
		seek_to(slot + 2, slot);
		read_at(slot);
		return slot + 1;
	case 2:
		seek_to(here, slot);
		moving(slot, slot);
		MUST(lseek(fd, 0, SEEK_CUR) == slot * REC);
		read_at(slot);
		return slot + 1;
	default:
		seek_to(here, slot);
		moving(slot, slot);
		read_with_takers(slot);
		return slot + 8;
	}
}

static void file_fill(void)
{
	struct rec all[PART];

	for (int i = 0; i < SLOTS; i++) {
		all[i % PART] = rec_make(TAG, version[i], (uint32_t)i);
		if (i % PART == PART - 1)
			MUST(pwrite(fd, all, sizeof all, (i + 1) * REC - sizeof all) > 0);
	}
}

/* The shim lets go of a description whose calls were disturbed too often: take a new one,
 * often. */
static void some_rounds(const char *path, long rounds)
{
	fd = open(path, O_RDWR);
	MUST(fd >= 0);
	MUST(lseek(fd, 3 * REC, SEEK_SET) == 3 * REC);
	MUST(lseek(fd, 0, SEEK_SET) == 0);
	moving(0, 0);
	live = 1;
	for (long i = 0, here = 0; i < rounds; i++)
		here = one_round(here);
	live = 0;
	MUST(close(fd) == 0);
}

int main(int argc, char **argv)
{
	unsigned long rounds = amount(500000);
	const char *path[2];

	(void)argc;
	counters_ready(argv);
	path[0] = new_path(disk_dir());
	path[1] = new_path("/dev/shm");
	for (int i = 0; i < SLOTS; i++)
		version[i] = FIRST;
	tick_start(SIGRTMIN, on_tick, 200);
	for (int fs = 0; fs < 2; fs++) {
		fd = open(path[fs], O_RDWR);
		file_fill();
		close(fd);
		for (unsigned long i = 0; i < rounds / 2; i += 500)
			some_rounds(path[fs], 500);
	}
	counters_take();
	printf("%lu calls, %u ticks; shim: %lu served, %lu retries\n", calls, ticks,
	       counter("read.positioned") + counter("write.positioned"), counter("retry"));
	MUST(ticks >= rounds / 10000);
	counter_half_served(calls);
	counter_at_least("retry", rounds / 20000);
	return 0;
}
