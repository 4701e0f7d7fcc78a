/* SPDX-License-Identifier: MIT */
/*
 * The help that is compared with the library's: readahead(2) by the reading thread itself, or by another one,
 * as in 2005.  It is told the pattern, so it has nothing to find out: this is what could be gained.
 */
#include "seqscan.h"
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static struct {
	const struct scan *scan;
	int fd;
	long asked; /* reads that were asked for */
	long done;  /* reads that the program has made */
	bool threaded, over;
	pthread_t thread;
	sem_t work;
} help;

enum {
	PIECE_READS = 16
}; /* contiguous reads that are asked for at once: 128 KiB of single pages */

/* So many at a time, where they follow each other. */
static long ask_from(long i, long to)
{
	const struct scan *s = help.scan;
	long n = 1;

	if (s->pattern == FORWARD)
		n = to - i < PIECE_READS ? to - i : PIECE_READS;
	if (s->pattern == BACKWARD) {
		n = to - i < PIECE_READS ? to - i : PIECE_READS;
		readahead(help.fd, scan_offset(s, i + n - 1), (size_t)(n * s->unit));
		return i + n;
	}
	readahead(help.fd, scan_offset(s, i), (size_t)(n * s->unit));
	return i + n;
}

static void ask(void)
{
	const struct scan *s = help.scan;
	long done = __atomic_load_n(&help.done, __ATOMIC_ACQUIRE);
	long to = done + s->distance / s->unit;

	if (help.asked < done)
		help.asked = done;
	to = to < s->reads ? to : s->reads;
	while (to - help.asked >= PIECE_READS || (to == s->reads && help.asked < to))
		help.asked = ask_from(
			help.asked, help.asked + PIECE_READS < to ? help.asked + PIECE_READS : to);
}

static void *run(void *unused)
{
	(void)unused;
	for (;;) {
		sem_wait(&help.work);
		if (__atomic_load_n(&help.over, __ATOMIC_ACQUIRE))
			return NULL;
		ask();
	}
}

bool helper_begin(int fd, const struct scan *s)
{
	help.scan = s;
	help.fd = fd;
	help.threaded = s->own && !strcmp(s->own, "thread");
	return !help.threaded ||
	       (!sem_init(&help.work, 0, 0) && !pthread_create(&help.thread, NULL, run, NULL));
}

/* After the i-th read: every eighth time something may have to be asked for. */
void helper_read(int fd, const struct scan *s, long i)
{
	(void)fd;
	if (!s->own || i < 2 || i % 8)
		return;
	__atomic_store_n(&help.done, i + 1, __ATOMIC_RELEASE);
	if (help.threaded)
		sem_post(&help.work);
	else
		ask();
}

void helper_end(void)
{
	if (!help.threaded)
		return;
	__atomic_store_n(&help.over, true, __ATOMIC_RELEASE);
	sem_post(&help.work);
	pthread_join(help.thread, NULL);
}
