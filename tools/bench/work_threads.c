/* SPDX-License-Identifier: MIT */
/* Several threads on one open file description. */
#include "worker.h"
#include "data.h"
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- threads that begin together ---- */

enum { MAX_THREADS = 16 };

struct thread {
	struct task *t;
	void (*body)(struct thread *);
	pthread_t id;
	long n; /* operations of this thread */
	uint64_t random;
	char *buffer;
	double began, ended;
	long done;
};

static pthread_barrier_t together;

static void *thread_main(void *arg)
{
	struct thread *th = arg;

	pthread_barrier_wait(&together);
	th->began = now();
	th->body(th);
	th->ended = now();
	return NULL;
}

/* From the first one's begin to the last one's end. */
static double run_threads(struct task *t, long n, void (*body)(struct thread *), long *done)
{
	struct thread th[MAX_THREADS];
	double began = 0, ended = 0;

	must(t->count <= MAX_THREADS, "count");
	pthread_barrier_init(&together, NULL, (unsigned)t->count);
	for (int i = 0; i < t->count; i++) {
		th[i] = (struct thread){t,
					body,
					0,
					n / t->count + 1,
					t->random + (uint64_t)i * 977,
					t->buffer + (size_t)i * t->size,
					0,
					0,
					0};
		must(!pthread_create(&th[i].id, NULL, thread_main, &th[i]), "pthread_create");
	}
	for (int i = 0; i < t->count; i++) {
		pthread_join(th[i].id, NULL);
		began = !i || th[i].began < began ? th[i].began : began;
		ended = th[i].ended > ended ? th[i].ended : ended;
		*done += th[i].done;
	}
	pthread_barrier_destroy(&together);
	t->random = t->random * 6364136223846793005 + 1442695040888963407;
	return ended - began;
}

/* ---- a mutex of the program's around each pair ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void locked_pairs(struct thread *th)
{
	struct task *t = th->t;

	for (; th->done < th->n; th->done++) {
		off_t place = random_place(&th->random, t);

		pthread_mutex_lock(&lock);
		must(lseek(t->fd, place, SEEK_SET) == place, "lseek");
		must(read(t->fd, th->buffer, t->size) == (ssize_t)t->size, "read");
		pthread_mutex_unlock(&lock);
	}
}
static void unlocked_preads(struct thread *th)
{
	struct task *t = th->t;

	for (; th->done < th->n; th->done++) {
		off_t place = random_place(&th->random, t);

		must(pread(t->fd, th->buffer, t->size, place) == (ssize_t)t->size, "pread");
	}
}
static void mutex_slice(struct task *t, long n, struct answer *a)
{
	long done = 0;

	a->took = run_threads(t, n, t->positioned ? unlocked_preads : locked_pairs, &done);
	a->figure[0] = a->took / (double)done;
}

/* ---- each on a file description of its own: what threads share is the library's alone ---- */

static void own_pairs(struct thread *th)
{
	struct task *t = th->t;
	int fd = open_hot(t);

	for (; th->done < th->n; th->done++) {
		off_t place = random_place(&th->random, t);

		must(lseek(fd, place, SEEK_SET) == place, "lseek");
		must(read(fd, th->buffer, t->size) == (ssize_t)t->size, "read");
	}
	close(fd);
}
static void own_tells(struct thread *th)
{
	int fd = open_hot(th->t);

	must(!lseek(fd, 0, SEEK_SET) && !lseek(fd, 0, SEEK_SET), "lseek");
	for (; th->done < th->n; th->done++)
		must(lseek(fd, 0, SEEK_CUR) == 0, "lseek");
	close(fd);
}
/* ns that one thread's operation takes while the others make theirs. */
static void own_slice(struct task *t, long n, struct answer *a, void (*body)(struct thread *))
{
	long done = 0;

	a->took = run_threads(t, n, body, &done);
	a->figure[0] = a->took / (double)done * t->count;
}
static void own_pair_slice(struct task *t, long n, struct answer *a)
{
	own_slice(t, n, a, own_pairs);
}
static void own_tell_slice(struct task *t, long n, struct answer *a)
{
	own_slice(t, n, a, own_tells);
}

/* ---- plain reads, each thread the next piece, on a file opened and seeked for this slice ----
 */

static void pull(struct thread *th)
{
	struct task *t = th->t;

	while (read(t->fd, th->buffer, t->size) == (ssize_t)t->size)
		th->done++;
}
static void pull_slice(struct task *t, long n, struct answer *a)
{
	long done = 0, wanted = n < (long)t->blocks ? n : (long)t->blocks;
	off_t from = (off_t)(t->blocks - (uint64_t)wanted) * (off_t)t->size;

	t->fd = open_hot(t);
	must(lseek(t->fd, from, SEEK_SET) == from, "lseek");
	a->took = run_threads(t, n, pull, &done);
	must(done == wanted, "pieces");
	close(t->fd);
	a->figure[0] = a->took / (double)done;
}

/* ---- how long a probe takes while another thread reads long blocks ---- */

static volatile bool reading, inside; /* inside: the reader is in its long call */

/*
 * On a processor of its own: on the reader's, the probe would wake up when the reader leaves
 * the kernel, where it can never meet the lock.
 */
static cpu_set_t processors;

static void prepare_probe(struct task *t)
{
	prepare_reading(t);
	must(!sched_getaffinity(0, sizeof(processors), &processors), "sched_getaffinity");
}
static void stay_on_processor(int wanted)
{
	cpu_set_t one;

	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &processors) && !wanted--) {
			CPU_ZERO(&one);
			CPU_SET(i, &one);
			must(!sched_setaffinity(0, sizeof(one), &one), "sched_setaffinity");
			return;
		}
}

static void *read_blocks(void *arg)
{
	struct task *t = arg;

	stay_on_processor(1);
	while (reading) {
		ssize_t r;

		if (!t->positioned)
			must(lseek(t->fd, 0, SEEK_SET) == 0, "lseek");
		inside = true;
		if (t->positioned)
			r = pread(t->fd, t->buffer, HOT_BLOCK, 0);
		else
			r = read(t->fd, t->buffer, HOT_BLOCK);
		inside = false;
		must(r >= 0, "read");
	}
	return NULL;
}

static double probe(const struct task *t, bool end)
{
	double began = now();
	struct stat st;

	if (!t->positioned)
		must(lseek(t->fd, 0, end ? SEEK_END : SEEK_CUR) >= 0, "lseek");
	else if (end)
		must(!fstat(t->fd, &st), "fstat");
	return now() - began;
}

/*
 * Whether the thread has a processor.  On a loaded machine it loses it at the end of a call
 * rather than inside, and then there is nothing that a probe could have to wait for.
 */
static bool runs(pthread_t id)
{
	struct timespec a, b;
	clockid_t clock;

	must(!pthread_getcpuclockid(id, &clock), "pthread_getcpuclockid");
	clock_gettime(clock, &a);
	clock_gettime(clock, &b);
	return a.tv_nsec != b.tv_nsec;
}

enum { PROBING = 120 * 1000 * 1000 }; /* ns at most in a slice */

/* Probes, as many as it is told or as meet the reader at work in that time. */
static long take_probes(struct task *t, pthread_t reader, bool end, double *took, long n)
{
	const struct timespec pause = {0, 100 * 1000};
	long done = 0;

	for (double began = now(); done < n && now() - began < PROBING;) {
		nanosleep(&pause, NULL);
		if (inside && runs(reader))
			took[done++] = probe(t, end);
	}
	return done;
}

/* Figures: median, 99th of a hundred, the longest. */
static void probe_slice(struct task *t, long n, struct answer *a, bool end)
{
	double *took = malloc((size_t)n * sizeof(*took));
	pthread_t reader;
	long done;

	must(took != NULL, "memory");
	reading = true;
	must(!pthread_create(&reader, NULL, read_blocks, t), "pthread_create");
	stay_on_processor(0);
	do
		done = take_probes(t, reader, end, took, n);
	while (!done);
	reading = false;
	pthread_join(reader, NULL);
	qsort(took, (size_t)done, sizeof(*took), by_value);
	a->figure[0] = took[done / 2];
	a->figure[1] = took[(done - 1) * 99 / 100];
	a->figure[2] = took[done - 1];
	free(took);
}
static void probe_end(struct task *t, long n, struct answer *a)
{
	probe_slice(t, n, a, true);
}
static void probe_tell(struct task *t, long n, struct answer *a)
{
	probe_slice(t, n, a, false);
}

const struct workload thread_workloads[] = {
	{"mutex-pair", prepare_reading, NULL, NULL, mutex_slice},
	{"own-pair", prepare_reading, NULL, NULL, own_pair_slice},
	{"own-tell", prepare_reading, NULL, NULL, own_tell_slice},
	{"pull", NULL, NULL, NULL, pull_slice},
	{"probe-end", prepare_probe, NULL, NULL, probe_end},
	{"probe-tell", prepare_probe, NULL, NULL, probe_tell},
	{0},
};
