/* SPDX-License-Identifier: MIT */
/* The scan: a process of its own, with or without the library, that prints what it took. */
#include "seqscan.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char *const pattern_names[] = {"forward",	    "backward", "stride",
				     "interleaved", "random",	NULL};
const char *const call_names[] = {"read", "seek", "pread", NULL};

double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- work for the processor, the same amount in each round ---- */

uint64_t work_do(long turns)
{
	static volatile uint64_t state = 88172645463325252UL;
	uint64_t x = state;

	for (long i = 0; i < turns; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	return state = x;
}

/* Of the fastest of some attempts: neighbours only slow it down. */
long work_per_us(void)
{
	enum { TURNS = 200000, ATTEMPTS = 20 };
	double best = 1;

	for (int i = 0; i < ATTEMPTS; i++) {
		double began = seconds_now(), took;

		work_do(TURNS);
		took = seconds_now() - began;
		best = took < best ? took : best;
	}
	return (long)(TURNS / (best * 1e6));
}

/* ---- where each read is ---- */

/* The same order each time. */
static long shuffled(long i, long n)
{
	static long *order;

	if (!order) {
		uint64_t x = 88172645463325252UL;

		order = malloc((size_t)n * sizeof(*order));
		for (long k = 0; k < n; k++) {
			long other;

			x = x * 6364136223846793005UL + 1442695040888963407UL;
			other = (long)((x >> 33) % (uint64_t)(k + 1));
			order[k] = order[other];
			order[other] = k;
		}
	}
	return order[i];
}

long scan_offset(const struct scan *s, long i)
{
	switch (s->pattern) {
	case FORWARD:
		return i * s->unit;
	case BACKWARD:
		return (s->reads - 1 - i) * s->unit;
	case STRIDE:
		return i * s->unit * STRIDE_PAGES;
	case INTERLEAVED:
		return (i % STREAMS * (s->reads / STREAMS) + i / STREAMS) * s->unit;
	default:
		return shuffled(i, s->reads) * s->unit;
	}
}

static ssize_t one_read(int fd, const struct scan *s, char *buf, long i)
{
	if (s->call == PREAD)
		return pread(fd, buf, (size_t)s->unit, scan_offset(s, i));
	if (s->call == SEEK || s->pattern != FORWARD)
		lseek(fd, scan_offset(s, i), SEEK_SET);
	return read(fd, buf, (size_t)s->unit);
}

static void scan(int fd, const struct scan *s, struct result *r)
{
	char *buf = aligned_alloc(4096, (size_t)s->unit);
	double began = seconds_now();

	for (long i = 0; i < s->reads; i++) {
		if (one_read(fd, s, buf, i) != s->unit) {
			perror(s->file);
			exit(3);
		}
		helper_read(fd, s, i);
		for (long at = 0; at < s->unit; at += PAGE) {
			uint64_t word;

			memcpy(&word, buf + at, sizeof(word));
			r->sum = r->sum * 31 + word;
			work_do(s->work);
		}
		if (s->delay)
			usleep((useconds_t)s->delay);
	}
	r->seconds = seconds_now() - began;
	free(buf);
}

/* What the library has counted, asked by its signal: of its report, the line with this key. */
static long counted(const char *key)
{
	const char *report = getenv("SEEKLESS_REPORT");
	FILE *in = report ? fopen(report, "r") : NULL;
	char line[400], form[64];
	long n = 0;

	snprintf(form, sizeof(form), "(%s)\n", key);
	while (in && fgets(line, sizeof(line), in))
		if (strstr(line, form))
			n = atol(line);
	if (in)
		fclose(in);
	return n;
}

int worker_main(char **a)
{
	struct scan s = {
		.file = a[0],
		.pattern = (enum pattern)atoi(a[1]),
		.call = (enum call)atoi(a[2]),
		.unit = atol(a[3]),
		.reads = atol(a[4]),
		.work = atol(a[5]),
		.delay = atol(a[6]),
		.own = *a[7] ? a[7] : NULL,
		.distance = atol(a[8]),
	};
	struct result r = {.ready = -1};
	int fd = open(s.file, O_RDONLY);

	if (fd < 0 || !helper_begin(fd, &s)) {
		perror(s.file);
		return 3;
	}
	scan(fd, &s, &r);
	helper_end();
	if (getenv("SEEKLESS_REPORT")) {
		raise(SIGUSR1);
		r.ready = (double)counted("ahead.ready") / (double)s.reads;
		r.waited = counted("ahead.late") + counted("ahead.waited");
	}
	printf("%.9f %lu %.4f %ld\n", r.seconds, r.sum, r.ready, r.waited);
	return 0;
}

/* ---- its parent ---- */

/* with: what SEEKLESS_READAHEAD is to say; NULL: without the library. */
static void set_environment(const char *with, const char *library, const char *report)
{
	char preload[8192];
	size_t folder = library ? (size_t)(strrchr(library, '/') - library) : 0;

	if (!with)
		return;
	if (strcmp(with, "off"))
		snprintf(preload, sizeof(preload), "%.*s/seekless-ahead.so:%s", (int)folder,
			 library, library);
	else
		snprintf(preload, sizeof(preload), "%s", library);
	setenv("LD_PRELOAD", preload, 1);
	setenv("SEEKLESS", "on", 1);
	setenv("SEEKLESS_READAHEAD", with, 1);
	if (strcmp(with, "off"))
		setenv("SEEKLESS_REPORT", report, 1);
}

static _Noreturn void become_worker(const struct scan *s, const char *with, const char *library,
				    const char *report)
{
	char n[7][32];

	snprintf(n[0], 32, "%d", s->pattern);
	snprintf(n[1], 32, "%d", s->call);
	snprintf(n[2], 32, "%ld", s->unit);
	snprintf(n[3], 32, "%ld", s->reads);
	snprintf(n[4], 32, "%ld", s->work);
	snprintf(n[5], 32, "%ld", s->delay);
	snprintf(n[6], 32, "%ld", s->distance);
	set_environment(with, library, report);
	execl("/proc/self/exe", "seqscan", "--worker", s->file, n[0], n[1], n[2], n[3], n[4], n[5],
	      s->own ? s->own : "", n[6], (char *)NULL);
	perror("seqscan");
	_exit(3);
}

bool worker_run(const struct scan *s, const char *with, const char *library, struct result *r)
{
	char report[] = "/tmp/seqscan.XXXXXX", line[200] = "";
	int ends[2], status, file = mkstemp(report);
	pid_t child;

	if (file < 0 || pipe(ends) || (child = fork()) < 0)
		return false;
	close(file);
	if (!child) {
		dup2(ends[1], 1);
		close(ends[0]);
		close(ends[1]);
		become_worker(s, with, library, report);
	}
	close(ends[1]);
	for (size_t n = 0; n < sizeof(line) - 1;) {
		ssize_t got = read(ends[0], line + n, sizeof(line) - 1 - n);

		if (got <= 0)
			break;
		n += (size_t)got;
	}
	close(ends[0]);
	waitpid(child, &status, 0);
	unlink(report);
	r->reads = s->reads;
	return status == 0 &&
	       sscanf(line, "%lf %lu %lf %ld", &r->seconds, &r->sum, &r->ready, &r->waited) == 4;
}
