// SPDX-License-Identifier: MIT
/* `seekless bench`: the process that measures, bare or with the library in it. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "seekless.h"

enum { FILE_SIZE = 1 << 20, BETWEEN_LOOKS = 64 };

static struct thread {
	pthread_t id;
	const struct order *order;
	int fd;
	uint64_t random;
	double count, seconds;
	bool failed;
} threads[MOST_THREADS];

static int files[MOST_THREADS]; /* descriptions of their own, of one file */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t start;

static double seconds_by(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- the file ---- */

static int cannot(const char *what, const char *folder)
{
	say("cannot %s in %s: %m; `--dir FOLDER` says where else", what, folder);
	return EXIT_CANNOT;
}

/* Opens all descriptors of a new file, which has no name any more afterwards. */
static int open_files(const char *folder)
{
	static char bytes[FILE_SIZE];
	char *path;
	int error = 0;

	/* A limit on sizes is to be an error, not a signal. */
	signal(SIGXFSZ, SIG_IGN);
	if (asprintf(&path, "%s/seekless-bench.XXXXXX", folder) < 0)
		return cannot("make a file", folder);
	files[0] = mkostemp(path, O_CLOEXEC);
	if (files[0] < 0)
		return cannot("make a file", folder);
	for (int i = 1; i < MOST_THREADS && !error; i++) {
		files[i] = open(path, O_RDWR | O_CLOEXEC);
		error = files[i] < 0 ? errno : 0;
	}
	if (unlink(path) && !error)
		error = errno;
	free(path);
	errno = error;
	if (error)
		return cannot("open a file again", folder);
	memset(bytes, 's', sizeof(bytes));
	for (ssize_t had = 0, got; had < FILE_SIZE; had += got) {
		errno = ENOSPC; /* for a write of nothing */
		got = pwrite(files[0], bytes, (size_t)(FILE_SIZE - had), had);
		if (got <= 0)
			return cannot("write a file of 1 MiB", folder);
	}
	return EXIT_SUCCESS;
}

/* The kernel shows the offset that it knows; one that is kept here is another. */
static bool offset_is_kept(void)
{
	char path[64], byte[PIECE];
	long long position = -1;
	FILE *info;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", files[0]);
	/* The first seeks may still be the kernel's. */
	for (int i = 1; i < 9; i++)
		if (lseek(files[0], i * PIECE, SEEK_SET) < 0 ||
		    read(files[0], byte, sizeof(byte)) != sizeof(byte))
			return false;
	info = fopen(path, "re");
	if (!info)
		return false;
	if (fscanf(info, "pos: %lld", &position) != 1)
		position = -1;
	fclose(info);
	return position >= 0 && position != 9 * PIECE;
}

/* ---- slices ---- */

static bool do_pair(int fd, off_t at, bool direct)
{
	char bytes[PIECE];

	if (direct)
		return pread(fd, bytes, PIECE, at) == PIECE;
	return lseek(fd, at, SEEK_SET) == at && read(fd, bytes, PIECE) == PIECE;
}

static bool do_size(int fd, off_t at, bool direct)
{
	struct stat st;

	if (direct)
		return !fstat(fd, &st) && st.st_size == FILE_SIZE;
	return lseek(fd, 0, SEEK_END) == FILE_SIZE && lseek(fd, at, SEEK_SET) == at;
}

static bool do_one(struct thread *thread, const struct row *row)
{
	bool direct = thread->order->is_direct, done;
	off_t at;

	if (row->kind == NOTHING)
		return syscall(SYS_getppid) > 0;
	thread->random = thread->random * 6364136223846793005u + 1442695040888963407u;
	at = (off_t)(thread->random >> 33) % (FILE_SIZE / PIECE) * PIECE;
	if (row->is_shared)
		pthread_mutex_lock(&lock);
	done = row->kind == PAIR ? do_pair(thread->fd, at, direct)
				 : do_size(thread->fd, at, direct);
	if (row->is_shared)
		pthread_mutex_unlock(&lock);
	return done;
}

static void *run_thread(void *arg)
{
	struct thread *thread = arg;
	const struct row *row = &rows[thread->order->row];
	double end, used;

	if (row->threads > 1)
		pthread_barrier_wait(&start);
	used = seconds_by(CLOCK_THREAD_CPUTIME_ID);
	end = seconds_by(CLOCK_MONOTONIC) + thread->order->seconds;
	do {
		for (int i = 0; i < BETWEEN_LOOKS && !thread->failed; i++)
			thread->failed = !do_one(thread, row);
		thread->count += BETWEEN_LOOKS;
	} while (seconds_by(CLOCK_MONOTONIC) < end && !thread->failed);
	/* Processor time: what else runs on this machine disturbs it little. */
	thread->seconds = seconds_by(CLOCK_THREAD_CPUTIME_ID) - used;
	return NULL;
}

/* One thread stays on the processor of its round, for all ways alike; more go where they like. */
static void place(const struct order *order)
{
	static cpu_set_t all;
	static bool is_known;
	cpu_set_t one;
	int wanted;

	if (!is_known && sched_getaffinity(0, sizeof(all), &all))
		return;
	is_known = true;
	if (rows[order->row].threads > 1) {
		sched_setaffinity(0, sizeof(all), &all);
		return;
	}
	wanted = order->processor % CPU_COUNT(&all);
	CPU_ZERO(&one);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &all) && !wanted--)
			CPU_SET(i, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static double run_slice(const struct order *order)
{
	const struct row *row = &rows[order->row];
	double count = 0, seconds = 0;
	bool failed = false;
	int started = 0;

	place(order);
	for (int i = 0; i < row->threads; i++)
		threads[i] = (struct thread){.order = order,
					     .fd = files[row->is_shared ? 0 : i],
					     .random = (uint64_t)i * 77 + 1};
	if (row->threads == 1) {
		run_thread(&threads[0]);
	} else {
		pthread_barrier_init(&start, NULL, (unsigned)row->threads);
		for (; started < row->threads; started++)
			if (pthread_create(&threads[started].id, NULL, run_thread,
					   &threads[started]))
				exit(EXIT_CANNOT); /* who waits at the barrier would wait forever */
		for (int i = 0; i < started; i++)
			pthread_join(threads[i].id, NULL);
		pthread_barrier_destroy(&start);
	}
	for (int i = 0; i < row->threads; i++) {
		count += threads[i].count;
		seconds += threads[i].seconds;
		failed = failed || threads[i].failed;
	}
	return failed ? FAILED : seconds / count * 1e9;
}

int bench_worker(const char *folder)
{
	struct order order;
	double answer;
	int status = open_files(folder);

	if (status)
		return status;
	answer = offset_is_kept();
	while (write(STDOUT_FILENO, &answer, sizeof(answer)) == sizeof(answer) &&
	       read(STDIN_FILENO, &order, sizeof(order)) == sizeof(order) && order.row >= 0 &&
	       order.row < row_count)
		answer = run_slice(&order);
	return EXIT_SUCCESS;
}
