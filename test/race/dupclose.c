/* SPDX-License-Identifier: MIT */
/*
 * dupclose.c - numbers change their files while other threads read through them.
 *
 * Number BASE + i only ever stands for files whose id is i modulo NUMBERS.  File f holds
 * records only in a window of its own, f * WINDOW; elsewhere it is empty.  So a read that goes
 * to another number's file, or uses another file's offset, shows.  EBADF is right only while
 * the number was closed for a moment.
 */
#include "race/race.h"

enum { NUMBERS = 6, FILES = 4 * NUMBERS, WINDOW = 16384, BASE = 200, REC = sizeof(struct rec) };
enum { OWNERS = 2, READERS = 2, MARK = 1000 };

static const char *paths[FILES];
enum { OPEN, CLOSING, CLOSED, OPENING, STATES };
static _Atomic unsigned state[NUMBERS]; /* one of these, and how often it changed */
static _Atomic unsigned used[NUMBERS];	/* how far into the window; readers stop at half */
static _Atomic unsigned long reads, misses;
static _Atomic int owners_left = OWNERS;
static unsigned long installs;

static void file_make(unsigned f)
{
	static struct rec window[WINDOW];
	const char *path = paths[f] = new_path(f % 8 == 3 ? "/dev/shm" : disk_dir());
	int fd = open(path, O_RDWR);

	for (unsigned n = 0; n < WINDOW; n++)
		window[n] = rec_make(f, 0, f * WINDOW + n);
	MUST(pwrite(fd, window, sizeof window, (off_t)f * WINDOW * REC) == sizeof window);
	MUST(ftruncate(fd, (off_t)(FILES + 1) * WINDOW * REC) == 0);
	close(fd);
}

/* What was read is a record of a right file at a right place, or what a writer put there. */
static long check(const struct rec *r, ssize_t n, unsigned i, int file, const char *what)
{
	if (n != REC)
		fail("%s: number %u gave %zd", what, BASE + i, n);
	if (rec_ok(r) && r->tag == MARK + i)
		return -1;
	if (!rec_ok(r) || r->tag >= FILES ||
	    (file < 0 ? r->tag % NUMBERS != i : (int)r->tag != file) || r->n / WINDOW != r->tag)
		fail("%s: number %u, file %d: read tag %u n %u", what, BASE + i, file, r->tag,
		     r->n);
	return r->n;
}

/* In the end: no write has gone to another number's file, or out of the window. */
static void file_check(unsigned f)
{
	static struct rec part[WINDOW];
	int fd = open(paths[f], O_RDONLY);

	for (unsigned w = 0; w <= FILES; w++) {
		MUST(pread(fd, part, sizeof part, (off_t)w * WINDOW * REC) == sizeof part);
		for (unsigned n = 0; n < WINDOW; n++) {
			if (w == f)
				check(&part[n], REC, f % NUMBERS, (int)f, "in the end");
			else if (part[n].tag || part[n].sum)
				fail("file %u: a record with tag %u in the window of %u", f,
				     part[n].tag, w);
		}
	}
	close(fd);
}

/* One read, write or lseek on a number that may change under it. */
static ssize_t call_number(unsigned i, uint32_t dice, struct rec *r, off_t *at)
{
	struct rec mark = rec_make(MARK + i, 0, 0);
	int fd = BASE + (int)i;

	*at = -1;
	switch (dice % 8) {
	case 0:
	case 1:
		*at = lseek(fd, dice % 2 * REC, SEEK_CUR);
		return *at < 0 ? -1 : 0;
	case 2:
		return write(fd, &mark, REC);
	default:
		return read(fd, r, REC);
	}
}

static void use_number(unsigned i, uint32_t dice)
{
	unsigned before = atomic_load(&state[i]), after;
	struct rec r;
	off_t at;
	long slot;
	ssize_t n = call_number(i, dice, &r, &at);

	after = atomic_load(&state[i]);
	if (n < 0) {
		if (errno != EBADF || (before == after && before % STATES == OPEN))
			fail("number %u: state %u to %u", BASE + i, before, after);
		atomic_fetch_add(&misses, 1);
		return;
	}
	if (before == after && before % STATES == CLOSED)
		fail("number %u was closed, but answered", BASE + i);
	if (at >= 0 && (at % REC || at / REC / WINDOW % NUMBERS != i))
		fail("number %u: tell %ld is in window %ld", BASE + i, (long)at,
		     (long)at / REC / WINDOW);
	if (dice % 8 == 2 && n != REC)
		fail("number %u: write gave %zd", BASE + i, n);
	slot = dice % 8 > 2 ? check(&r, n, i, -1, "reader") : at / REC;
	if (slot > 0)
		atomic_store(&used[i], slot % WINDOW);
}

static void *reader(void *arg)
{
	uint64_t rng = 1000 + (uintptr_t)arg;
	unsigned long n = 0;

	while (atomic_load(&owners_left)) {
		uint32_t dice = rnd(&rng);
		unsigned i = dice % NUMBERS;

		if (atomic_load(&used[i]) > WINDOW / 2)
			continue;
		use_number(i, dice >> 8);
		n++;
	}
	atomic_fetch_add(&reads, n);
	return NULL;
}

/* A descriptor of its own, on numbers that all threads open and close: exact. */
static int open_at(unsigned f, uint32_t dice)
{
	int fd = open(paths[f], O_RDWR);
	off_t first = (off_t)f * WINDOW + dice % 64;
	struct rec r;
	long slot;

	MUST(fd >= 0 && fd < BASE);
	if (lseek(fd, first * REC, SEEK_SET) != first * REC)
		fail("lseek on a new descriptor");
	slot = check(&r, read(fd, &r, REC), f % NUMBERS, (int)f, "own");
	if (slot >= 0 && slot != first)
		fail("own descriptor: read %ld at %ld", slot, (long)first);
	if (dice & 0x100)
		MUST(lseek(fd, first * REC, SEEK_SET) == first * REC);
	return fd;
}

static void close_number(unsigned i)
{
	atomic_fetch_add(&state[i], 1);
	MUST(close(BASE + (int)i) == 0);
	atomic_fetch_add(&state[i], 1);
	for (int wait = 0; wait < 50; wait++)
		relax();
}

/* Give number i the file f, in one of the ways that programs use. */
static void install(unsigned i, unsigned f, uint32_t dice)
{
	int fd = open_at(f, dice), number = BASE + (int)i, twin;
	struct rec r;

	if (atomic_load(&state[i]) % STATES == OPEN && (dice & 0x200))
		close_number(i);
	if (atomic_load(&state[i]) % STATES == CLOSED)
		atomic_fetch_add(&state[i], 1);
	if (dice & 0x400)
		MUST(dup2(fd, number) == number);
	else
		MUST(dup3(fd, number, O_CLOEXEC) == number);
	if (atomic_load(&state[i]) % STATES == OPENING)
		atomic_fetch_add(&state[i], 1);
	atomic_store(&used[i], 0);
	if (dice & 0x800)
		check(&r, read(fd, &r, REC), i, (int)f, "the twin");
	MUST(close(fd) == 0);
	if (dice & 0x1000)
		MUST(lseek(number, ((off_t)f * WINDOW + dice % 32) * REC, SEEK_SET) >= 0);
	if (dice & 0x2000) {
		twin = fcntl(number, F_DUPFD, 300);
		MUST(twin >= 300);
		check(&r, read(twin, &r, REC), i, (int)f, "F_DUPFD");
		MUST(close(twin) == 0);
	}
}

static void *owner(void *arg)
{
	uintptr_t id = (uintptr_t)arg;
	uint64_t rng = 77 + id;

	for (unsigned long n = 0; n < installs / OWNERS; n++) {
		uint32_t dice = rnd(&rng),
			 i = dice % (NUMBERS / OWNERS) * OWNERS + (uint32_t)id;

		install(i, i + (dice >> 8) % 4 * NUMBERS, rnd(&rng));
		MUST(close(open_at(rnd(&rng) % FILES, dice >> 16)) == 0);
	}
	atomic_fetch_sub(&owners_left, 1);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[OWNERS + READERS];
	double start = now();

	(void)argc;
	counters_ready(argv);
	installs = amount(200000);
	for (unsigned f = 0; f < FILES; f++)
		file_make(f);
	for (unsigned i = 0; i < NUMBERS; i++) {
		atomic_store(&state[i], CLOSED);
		install(i, i, 0x400);
	}
	for (uintptr_t t = 0; t < OWNERS + READERS; t++)
		MUST(pthread_create(&threads[t], NULL, t < OWNERS ? owner : reader,
				    (void *)(t < OWNERS ? t : t - OWNERS)) == 0);
	for (int t = 0; t < OWNERS + READERS; t++)
		pthread_join(threads[t], NULL);
	for (unsigned f = 0; f < FILES; f++)
		file_check(f);
	counters_take();
	printf("%lu files put on numbers, %lu reads through them, %lu met a closed number, "
	       "%.1f s; shim: "
	       "%lu reads served, %lu retries\n",
	       installs, reads, misses, now() - start, counter("read.positioned"),
	       counter("retry"));
	MUST(reads > installs / 10 && misses > installs / 10000);
	counter_at_least("read.positioned", installs);
	return 0;
}
