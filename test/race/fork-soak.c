/* SPDX-License-Identifier: MIT */
// timeout: 300
/*
 * A parent that opens, seeks, forks and closes for ever stays as it is: memory, mappings,
 * descriptors and CPU time for a round are in the last tenth what they were in the second (the
 * first one warms up).  20,000 rounds; for a soak of some ten minutes, preloaded by hand:
 * N=1000000 build/test/race/fork-soak.
 */
#include "race/race.h"

enum { PLACE = 5 * sizeof(struct rec), TENTHS = 10, LOOKS = 20, TIMED = 1000 };

/* A page or two may be touched for the first time at any moment: a bucket of a table, a
 * stack's. */
enum { KIB_MORE = 8 };
#define SLOWER 1.5 /* CPU time on a shared machine */

static struct state {
	long kib, mappings, number; /* the most in this tenth; number: of the descriptor */
	double cpu;		    /* of a round, median of the tenth's last TIMED */
} tenths[TENTHS];

static char text[1 << 20]; /* read by bare calls: to look must not allocate */

static const char *contents(const char *path)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	size_t n = 0;
	long r;

	MUST(fd >= 0);
	while ((r = syscall(SYS_read, fd, text + n, sizeof text - 1 - n)) > 0)
		n += (size_t)r;
	MUST(r == 0 && n < sizeof text - 1);
	text[n] = 0;
	syscall(SYS_close, fd);
	return text;
}

static void most(long *of, long is)
{
	*of = is > *of ? is : *of;
}

static void look(struct state *s)
{
	/* The sum over all pages; the sizes in statm and status are estimates of the kernel's.
	 */
	const char *anonymous = strstr(contents("/proc/self/smaps_rollup"), "\nAnonymous:");
	long lines = 0;

	MUST(anonymous);
	most(&s->kib, strtol(anonymous + strlen("\nAnonymous:"), NULL, 10));
	for (const char *c = contents("/proc/self/maps"); (c = strchr(c, '\n')); c++)
		lines++;
	most(&s->mappings, lines);
}

static double cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static pid_t make_child(unsigned long i)
{
	switch (i % 4) {
	case 0:
		return _Fork();
	case 1:
		return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	default:
		return fork();
	}
}

static int open_placed(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	struct rec r;

	MUST(fd >= 0 && lseek(fd, PLACE, SEEK_SET) == PLACE);
	MUST(read(fd, &r, sizeof r) == sizeof r);
	return fd;
}

/*
 * The child goes on where the parent is, and the parent where the child was.  There are two, so
 * that one at least does not come from a place for a single spare one.
 */
static long one_round(const char *path, unsigned long i)
{
	int fd = open_placed(path), other = open_placed(path), status;
	struct rec r;
	pid_t pid = make_child(i);

	if (pid == 0)
		_exit(read(fd, &r, sizeof r) != sizeof r || !rec_ok(&r) || r.n != 6);
	MUST(pid > 0 && waitpid(pid, &status, 0) == pid);
	if (status)
		fail("round %lu: the child ended with status %x", i, status);
	MUST(lseek(fd, 0, SEEK_CUR) == PLACE + 2 * (long)sizeof r);
	MUST(lseek(other, 0, SEEK_CUR) == PLACE + (long)sizeof r);
	MUST(close(fd) == 0 && close(other) == 0);
	return other;
}

static void one_tenth(const char *path, unsigned long rounds, struct state *s)
{
	static double took[TIMED];
	unsigned long timed = rounds < TIMED ? rounds : TIMED;

	for (unsigned long i = 0; i < rounds; i++) {
		double start = cpu();

		most(&s->number, one_round(path, i));
		took[i % TIMED] = cpu() - start;
		if (i % (rounds / LOOKS) == 0)
			look(s);
	}
	qsort(took, timed, sizeof *took, by_size);
	s->cpu = took[timed / 2];
	printf("%ld KiB, %ld mappings, descriptor %ld, %.1f us\n", s->kib, s->mappings,
	       s->number, s->cpu * 1e6);
}

int main(int argc, char **argv)
{
	const struct state *early = &tenths[1];
	struct state *late = &tenths[TENTHS - 1];
	unsigned long rounds;
	const char *path;
	int fd;

	(void)argc;
	counters_ready(argv);
	rounds = amount(20000) / TENTHS;
	MUST(rounds >= LOOKS);
	path = new_path(disk_dir());
	MUST((fd = open(path, O_WRONLY | O_CLOEXEC)) >= 0);
	for (unsigned i = 0; i < 10; i++) {
		struct rec r = rec_make(1, 0, i);

		MUST(write(fd, &r, sizeof r) == sizeof r);
	}
	MUST(close(fd) == 0);
	for (int t = 0; t < TENTHS; t++)
		one_tenth(path, rounds, &tenths[t]);
	if (late->kib > early->kib + KIB_MORE)
		fail("memory grows: %ld KiB, then %ld", early->kib, late->kib);
	if (late->mappings != early->mappings)
		fail("mappings: %ld, then %ld", early->mappings, late->mappings);
	if (late->number != early->number)
		fail("descriptors leak: number %ld, then %ld", early->number, late->number);
	/* A machine's slow moment passes; what grows does not. */
	for (int more = 0; late->cpu > early->cpu * SLOWER && more < TENTHS; more++)
		one_tenth(path, rounds, late);
	if (late->cpu > early->cpu * SLOWER)
		fail("a round gets slower: %.1f us, then %.1f", early->cpu * 1e6,
		     late->cpu * 1e6);
	counters_take();
	counter_at_least("gone.fork", 2 * rounds * TENTHS);
	return 0;
}
