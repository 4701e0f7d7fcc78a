/* SPDX-License-Identifier: MIT */
/*
 * append.c - two threads write to one open file description, while a third turns O_APPEND on
 * and off.
 *
 * As long as O_APPEND is off the offset is the end of the file: the writers put it there, and
 * the third thread seeks elsewhere only while O_APPEND is on, and back to the end before it
 * turns it off.  The kernel reads the flag with the offset locked, so no record is ever
 * overwritten and no hole appears.
 */
#include "race/race.h"

enum { WRITERS = 2, EACH = 200 };

static int fd;
static uint32_t tag;
static unsigned rounds;
static struct meeting meeting;
static _Atomic unsigned writing;

static void *writer(void *arg)
{
	uint32_t who = (uint32_t)(uintptr_t)arg;

	for (unsigned i = 0; i < rounds; i++) {
		meet(&meeting, WRITERS + 1);
		for (uint32_t n = 0; n < EACH; n++) {
			struct rec r = rec_make(tag, who, n);

			if (write(fd, &r, sizeof r) != sizeof r)
				fail("round %u: write", tag);
		}
		atomic_fetch_sub(&writing, 1);
		meet(&meeting, WRITERS + 1);
	}
	return NULL;
}

static void flag(int flags)
{
	int is;

	MUST(fcntl(fd, F_SETFL, flags) == 0);
	is = fcntl(fd, F_GETFL);
	if ((is & (O_APPEND | O_ACCMODE)) != (flags | O_RDWR))
		fail("round %u: F_GETFL is %x", tag, is);
}

static void toggle(uint64_t *rng)
{
	for (unsigned wait = rnd(rng) % 20000; wait; wait--)
		relax();
	while (atomic_load(&writing)) {
		flag(O_APPEND);
		if (rnd(rng) % 2) {
			MUST(lseek(fd, 0, SEEK_SET) == 0);
			if (rnd(rng) % 2)
				sched_yield();
			MUST(lseek(fd, 0, SEEK_END) >= 0);
		}
		flag(0);
		for (unsigned wait = rnd(rng) % 2000; wait; wait--)
			relax();
		/* A tell must be the end of some moment: all writers are at the end. */
		MUST(lseek(fd, 0, SEEK_CUR) % (off_t)sizeof(struct rec) == 0);
	}
}

static void check(int plain)
{
	static struct rec is[WRITERS * EACH + 1];
	uint8_t found[WRITERS][EACH] = {{0}};
	ssize_t size = pread(plain, is, sizeof is, 0);
	off_t at = lseek(fd, 0, SEEK_CUR);

	if (at != size)
		fail("round %u: offset %ld, size %zd", tag, (long)at, size);
	if (size != WRITERS * EACH * sizeof(struct rec))
		fail("round %u: %zd bytes instead of %zu", tag, size,
		     WRITERS * EACH * sizeof(struct rec));
	for (unsigned i = 0; i < WRITERS * EACH; i++) {
		struct rec *r = &is[i];

		if (!rec_ok(r) || r->tag != tag || r->who >= WRITERS || r->n >= EACH ||
		    found[r->who][r->n]++)
			fail("round %u slot %u: tag %u who %u n %u: twice, or a hole", tag, i,
			     r->tag, r->who, r->n);
	}
}

int main(int argc, char **argv)
{
	const char *path[2];
	pthread_t threads[WRITERS];
	uint64_t rng = 4711;
	double start = now();

	(void)argc;
	counters_ready(argv);
	rounds = (unsigned)amount(3000);
	path[0] = new_path(disk_dir());
	path[1] = new_path("/dev/shm");
	for (uintptr_t i = 0; i < WRITERS; i++)
		MUST(pthread_create(&threads[i], NULL, writer, (void *)i) == 0);
	for (tag = 1; tag <= rounds; tag++) {
		int plain = open(path[tag % 4 == 0], O_RDWR | O_TRUNC);

		fd = open(path[tag % 4 == 0], O_RDWR);
		MUST(fd >= 0 && plain >= 0);
		MUST(lseek(fd, 32, SEEK_SET) == 32 && lseek(fd, 0, SEEK_SET) == 0);
		atomic_store(&writing, WRITERS);
		meet(&meeting, WRITERS + 1);
		toggle(&rng);
		meet(&meeting, WRITERS + 1);
		check(plain);
		MUST(close(fd) == 0 && close(plain) == 0);
	}
	for (int i = 0; i < WRITERS; i++)
		pthread_join(threads[i], NULL);
	counters_take();
	printf("%u rounds of %d writes in %.1f s; shim: %lu writes served\n", rounds,
	       WRITERS * EACH, now() - start, counter("write.positioned"));
	counter_at_least("write.positioned", rounds);
	return 0;
}
