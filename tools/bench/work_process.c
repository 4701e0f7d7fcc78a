/* SPDX-License-Identifier: MIT */
/* What a process costs: its start and end, and its memory. */
#include "worker.h"
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- start and end ---- */

static void spawn_true(struct task *t, long n, struct answer *a)
{
	char preload[4096], on[32];
	char *bare[] = {"PATH=/usr/bin:/bin", NULL};
	char *with[] = {"PATH=/usr/bin:/bin", preload, on, NULL};
	char *argv[] = {"/bin/true", NULL};
	double began;

	snprintf(preload, sizeof(preload), "LD_PRELOAD=%s", t->library);
	snprintf(on, sizeof(on), "SEEKLESS=%s", t->on);
	began = now();
	for (long i = 0; i < n; i++) {
		int status;
		pid_t pid;

		must(!posix_spawn(&pid, argv[0], NULL, NULL, argv, *t->library ? with : bare),
		     argv[0]);
		must(waitpid(pid, &status, 0) == pid && !status, "wait");
	}
	a->took = now() - began;
	a->figure[0] = a->took / (double)n;
}

/* ---- memory ---- */

static double field(const char *text, const char *key)
{
	const char *found = strstr(text, key);

	return found ? strtod(found + strlen(key), NULL) * 1024 : 0;
}

/*
 * Bytes of anonymous and shared memory, exactly.  Without stdio, which would change them.  The
 * descriptor is a high one, so that asking moves no number of the program's.
 */
static double resident(void)
{
	static char text[8192];
	int fd = open("/proc/self/smaps_rollup", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	must(fd >= 0, "/proc/self/smaps_rollup");
	n = read(fd, text, sizeof(text) - 1);
	must(n > 0 && !close(fd), "/proc/self/smaps_rollup");
	text[n] = 0;
	return field(text, "\nAnonymous:") + field(text, "\nPss_Shmem:");
}

static void memory_at_start(struct task *t, long n, struct answer *a)
{
	(void)t;
	(void)n;
	resident();
	a->figure[0] = resident();
}

/* Opened and seeked, so that each has all that an offset of its own needs. */
static void memory_per_ofd(struct task *t, long n, struct answer *a)
{
	struct rlimit limit;
	double before;
	int count = t->count;

	(void)n;
	must(!getrlimit(RLIMIT_NOFILE, &limit), "getrlimit");
	limit.rlim_cur = limit.rlim_max;
	must(!setrlimit(RLIMIT_NOFILE, &limit), "setrlimit");
	if ((rlim_t)count + 50 > limit.rlim_max)
		count = (int)limit.rlim_max - 50;
	resident();
	before = resident();
	for (int i = 0; i < count; i++)
		must(lseek(open_hot(t), 1, SEEK_SET) == 1, "lseek");
	a->figure[0] = (resident() - before) / count;
}

static pthread_barrier_t all_work, all_end;

static void *use_descriptor(void *arg)
{
	struct task *t = arg;
	char byte;

	must(lseek(t->fd, 1, SEEK_SET) == 1 && read(t->fd, &byte, 1) == 1, "lseek and read");
	pthread_barrier_wait(&all_work);
	pthread_barrier_wait(&all_end);
	return NULL;
}

/* Bare, this is the stack and what libc keeps; only the difference is the library's. */
static void memory_per_thread(struct task *t, long n, struct answer *a)
{
	pthread_t id[1000];
	double before;

	(void)n;
	must(t->count <= 1000, "count");
	prepare_reading(t);
	pthread_barrier_init(&all_work, NULL, (unsigned)t->count + 1);
	pthread_barrier_init(&all_end, NULL, (unsigned)t->count + 1);
	resident();
	before = resident();
	for (int i = 0; i < t->count; i++)
		must(!pthread_create(&id[i], NULL, use_descriptor, t), "pthread_create");
	pthread_barrier_wait(&all_work);
	a->figure[0] = (resident() - before) / t->count;
	pthread_barrier_wait(&all_end);
	for (int i = 0; i < t->count; i++)
		pthread_join(id[i], NULL);
}

const struct workload process_workloads[] = {
	{"spawn-true", NULL, NULL, NULL, spawn_true},
	{"memory-at-start", NULL, NULL, NULL, memory_at_start},
	{"memory-per-ofd", NULL, NULL, NULL, memory_per_ofd},
	{"memory-per-thread", NULL, NULL, NULL, memory_per_thread},
	{0},
};
