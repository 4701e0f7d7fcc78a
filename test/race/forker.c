/* SPDX-License-Identifier: MIT */
/*
 * forker.c - threads open, seek, read and write while another thread makes children, which go
 * on reading and writing on the descriptors they inherited.
 *
 * Each thread has one open file description (ofd) at a time that its children share: parent and
 * children together must take each record once.  And one that nobody else uses, on which each
 * answer is known. Before that, one thread and one child pass an offset to and fro through
 * pipes.
 */
#include "race/race.h"
#include <sys/mman.h>

enum {
	THREADS = 2,
	CALLS = 60,
	CHILD_CALLS = 5,
	SLOTS = 2048,
	OLD = 99,
	REC = sizeof(struct rec)
};
enum kind { FORK, UNDERSCORE_FORK, VFORK, RAW_FORK, KINDS };

/* What was taken from one ofd, by all processes. */
struct ledger {
	_Atomic unsigned calls, made[THREADS + 1];
	_Atomic unsigned char seen[SLOTS];
};

static struct ledger *ledgers; /* shared memory, one for each thread */
static const char *paths[THREADS][2], *private_paths[THREADS];
static _Atomic int shared_fd[THREADS]; /* -1: none at the moment */
static uint32_t tags[THREADS];
static _Atomic unsigned begun, ended; /* children */
static _Atomic int stop;
static _Atomic unsigned long calls;

/* One read or write on the ofd of thread `t`; `who` is the thread, or THREADS for a child. */
static void one_call(unsigned t, int fd, unsigned who, uint32_t dice)
{
	struct ledger *l = &ledgers[t];
	struct rec r;

	if (dice & 1) {
		r = rec_make(tags[t], who, atomic_fetch_add(&l->made[who], 1));
		if (write(fd, &r, REC) != REC)
			fail("write by %u", who);
	} else {
		if (read(fd, &r, REC) != REC)
			fail("read by %u", who);
		if (!rec_ok(&r) || r.tag != tags[t] || r.who != OLD || r.n >= SLOTS)
			fail("ofd %u: %u read tag %u who %u n %u", tags[t], who, r.tag, r.who,
			     r.n);
		if (atomic_fetch_add(&l->seen[r.n], 1))
			fail("ofd %u: %u read slot %u, which was read before", tags[t], who,
			     r.n);
	}
	atomic_fetch_add(&l->calls, 1);
}

static void ledger_check(unsigned t, int fd, int plain, unsigned first)
{
	static struct rec is_of[THREADS][SLOTS];
	struct rec *is = is_of[t];
	struct ledger *l = &ledgers[t];
	unsigned written[THREADS + 1] = {0}, slot, end = first + l->calls;
	off_t at = lseek(fd, 0, SEEK_CUR);

	if (at != (off_t)end * REC)
		fail("ofd %u: offset %ld after %u calls from %u", tags[t], (long)at, l->calls,
		     first);
	MUST(pread(plain, is, sizeof is_of[t], 0) == sizeof is_of[t]);
	for (slot = 0; slot < SLOTS; slot++) {
		int used = slot >= first && slot < end;

		MUST(rec_ok(&is[slot]) && is[slot].tag == tags[t]);
		if (is[slot].who == OLD ? l->seen[slot] != used : !used || l->seen[slot])
			fail("ofd %u slot %u: read %u times, who %u, used %d", tags[t], slot,
			     l->seen[slot], is[slot].who, used);
		if (is[slot].who != OLD)
			written[is[slot].who]++;
	}
	for (unsigned who = 0; who <= THREADS; who++)
		if (written[who] != l->made[who])
			fail("ofd %u: %u of %u records of %u are there", tags[t], written[who],
			     l->made[who], who);
	atomic_fetch_add(&calls, l->calls);
}

/* Everything on this one is known, whatever is forked meanwhile. */
static void private_round(unsigned t, uint64_t *rng)
{
	int fd = open(private_paths[t], O_RDWR | O_CLOEXEC);

	MUST(fd >= 0);
	for (int i = 0; i < 8; i++) {
		unsigned slot = rnd(rng) % (SLOTS - 1);
		struct rec r = rec_make(1, 5, slot);

		MUST(lseek(fd, slot * REC, SEEK_SET) == slot * REC);
		MUST(write(fd, &r, REC) == REC);
		MUST(lseek(fd, 0, SEEK_CUR) == (slot + 1) * REC);
		MUST(lseek(fd, -REC, SEEK_CUR) == slot * REC);
		MUST(read(fd, &r, REC) == REC);
		if (!rec_ok(&r) || r.n != slot)
			fail("private: wrote slot %u, read slot %u", slot, r.n);
	}
	MUST(close(fd) == 0);
}

static int shared_open(unsigned t, uint32_t tag, unsigned first, int *plain)
{
	static struct rec old_of[THREADS][SLOTS];
	const char *path = paths[t][tag / THREADS % 4 == 0];
	int fd;

	*plain = open(path, O_RDWR | O_CLOEXEC);
	for (unsigned i = 0; i < SLOTS; i++)
		old_of[t][i] = rec_make(tag, OLD, i);
	MUST(pwrite(*plain, old_of[t], sizeof old_of[t], 0) == sizeof old_of[t]);
	memset(&ledgers[t], 0, sizeof ledgers[t]);
	tags[t] = tag;
	fd = open(path, O_RDWR | O_CLOEXEC);
	MUST(fd >= 0 && lseek(fd, first * REC, SEEK_SET) == first * REC);
	return fd;
}

static void shared_round(unsigned t, uint32_t tag, uint64_t *rng)
{
	unsigned first = rnd(rng) % 64, last_begun;
	int plain, fd = shared_open(t, tag, first, &plain);

	atomic_store(&shared_fd[t], fd);
	for (int i = 0; i < CALLS; i++) {
		one_call(t, fd, t, rnd(rng));
		if (i % 16 == 0)
			private_round(t, rng);
	}
	/* The forking thread counts first and looks for descriptors then: all that use ours are
	 * counted. */
	atomic_store(&shared_fd[t], -1);
	last_begun = atomic_load(&begun);
	while ((int)(atomic_load(&ended) - last_begun) < 0)
		sched_yield();
	ledger_check(t, fd, plain, first);
	MUST(close(fd) == 0 && close(plain) == 0);
}

static void *thread(void *arg)
{
	unsigned t = (unsigned)(uintptr_t)arg;
	uint64_t rng = 31337 + t;

	for (uint32_t tag = 2 + t; !atomic_load(&stop); tag += THREADS)
		shared_round(t, tag, &rng);
	return NULL;
}

#include "race/forker-children.h"

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	unsigned long rounds, i;
	double start = now();

	(void)argc;
	counters_ready(argv);
	rounds = amount(800);
	ledgers = mmap(NULL, THREADS * sizeof *ledgers, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	MUST(ledgers != MAP_FAILED);
	for (uintptr_t t = 0; t < THREADS; t++) {
		paths[t][0] = new_path(disk_dir());
		paths[t][1] = new_path("/dev/shm");
		private_paths[t] = new_path(disk_dir());
		atomic_store(&shared_fd[t], -1);
	}
	for (i = 0; i < rounds / 10; i++)
		to_and_fro(i % KINDS);
	for (uintptr_t t = 0; t < THREADS; t++)
		MUST(pthread_create(&threads[t], NULL, thread, (void *)t) == 0);
	for (i = 0; i < rounds; i++)
		child_round(i % KINDS);
	atomic_store(&stop, 1);
	for (int t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	counters_take();
	printf("%lu children, %lu calls on what they share in %.1f s; shim: %lu served, %lu "
	       "let go at forks\n",
	       rounds, calls, now() - start,
	       counter("read.positioned") + counter("write.positioned"),
	       counter("gone.fork") + counter("gone.vfork"));
	counter_at_least("read.positioned", rounds);
	counter_at_least("write.positioned", rounds);
	counter_at_least("gone.fork", rounds / 20);
	return 0;
}
