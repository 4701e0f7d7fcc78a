/* SPDX-License-Identifier: MIT */
/*
 * race.h - what the racing programs (test/race, test/hold) share: self-describing records, a
 * barrier that lets threads start at the same instant, a timer per thread, raw system calls,
 * and the reader of the shim's own counters.  Everything is static: each program is one file.
 */
#ifndef RACE_H
#define RACE_H

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

#define MAYBE static inline __attribute__((unused))

static void (*at_fail)(void); /* what is to be cleaned up, or NULL */

/* _exit, not exit: other threads are still racing. */
MAYBE void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *fmt, ...)
{
	va_list ap;
	int e = errno;

	va_start(ap, fmt);
	printf("FAIL: ");
	vprintf(fmt, ap);
	printf(" (errno %d)\n", e);
	va_end(ap);
	fflush(stdout);
	if (at_fail)
		at_fail();
	_exit(1);
}

#define MUST(cond) ((cond) ? (void)0 : fail("%s:%d: %s", __FILE__, __LINE__, #cond))

/* How much to do: the full size, or what the variable N says, for quick runs. */
MAYBE unsigned long amount(unsigned long full)
{
	const char *n = getenv("N");

	return n && *n ? strtoul(n, NULL, 0) : full;
}

MAYBE uint32_t rnd(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (uint32_t)(*state >> 16);
}

/*
 * Records.  16 bytes that say what they are and where they belong; the sum makes torn, shifted
 * and empty ones show.
 */
struct rec {
	uint32_t tag; /* of which file, or which round */
	uint32_t who; /* who wrote it */
	uint32_t n;   /* its number */
	uint32_t sum;
};

MAYBE struct rec rec_make(uint32_t tag, uint32_t who, uint32_t n)
{
	struct rec r = {tag, who, n,
			(tag * 2654435761u) ^ (who * 40503u) ^ (n * 97u) ^ 0x5eec1e55u};

	return r;
}

MAYBE int rec_ok(const struct rec *r)
{
	struct rec want = rec_make(r->tag, r->who, r->n);

	return want.sum == r->sum;
}

/* Files.  Never memfd: it has no f_pos lock, so races on it test nothing. */
#define PATHS_MAX 64
static char race_paths[PATHS_MAX][256];
static int race_path_count;
static pid_t race_owner;

MAYBE void paths_remove(void)
{
	if (getpid() != race_owner)
		return;
	for (int i = 0; i < race_path_count; i++)
		unlink(race_paths[i]);
}

MAYBE const char *disk_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : ".";
}

/* A new empty file in `dir`; it is removed when the program ends by itself. */
MAYBE const char *new_path(const char *dir)
{
	char *path = race_paths[race_path_count];
	int fd;

	MUST(race_path_count < PATHS_MAX);
	if (!race_path_count) {
		race_owner = getpid();
		atexit(paths_remove);
		at_fail = paths_remove;
	}
	snprintf(path, sizeof race_paths[0], "%s/race-%d-%d", dir, getpid(), race_path_count++);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	MUST(fd >= 0);
	close(fd);
	return path;
}

MAYBE void relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#else
	__asm__ volatile("yield");
#endif
}

/*
 * A barrier of `parties` threads, or processes.  It spins for a while, so that all leave it at the
 * same instant and run; then it sleeps, so that the others run.  It is no cancellation point.
 */
struct meeting {
	_Atomic uint32_t arrived, sleepers;
};

MAYBE void meet(struct meeting *m, uint32_t parties)
{
	uint32_t mine = atomic_fetch_add(&m->arrived, 1), is = mine + 1;
	uint32_t all = (mine / parties + 1) * parties;

	for (unsigned spins = 0; (int32_t)(is - all) < 0; spins++) {
		if (spins < 5000) {
			relax();
		} else {
			atomic_fetch_add(&m->sleepers, 1);
			syscall(SYS_futex, &m->arrived, FUTEX_WAIT, is, NULL, NULL, 0);
			atomic_fetch_sub(&m->sleepers, 1);
		}
		is = atomic_load(&m->arrived);
	}
	if (mine + 1 == all && atomic_load(&m->sleepers))
		syscall(SYS_futex, &m->arrived, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* A signal to the calling thread every `us` microseconds. */
MAYBE timer_t tick_start(int sig, void (*handler)(int), long us)
{
	struct sigaction sa = {.sa_handler = handler, .sa_flags = SA_RESTART};
	struct sigevent ev = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = sig};
	struct itimerspec every = {{0, us * 1000}, {0, us * 1000}};
	timer_t timer;

	ev.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	MUST(sigaction(sig, &sa, NULL) == 0);
	MUST(timer_create(CLOCK_MONOTONIC, &ev, &timer) == 0);
	MUST(timer_settime(timer, 0, &every, NULL) == 0);
	return timer;
}

MAYBE double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

#include "race/raw.h"
#include "race/counters.h"

#endif
