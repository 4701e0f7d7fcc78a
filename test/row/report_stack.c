/* SPDX-License-Identifier: MIT */
/*
 * No row of the table: the report is written on whatever stack the signal finds.  An alternate one
 * of 8 KiB is usual (Rust makes one for each thread), and so are threads with the smallest stack.
 */
#include "row.h"

enum { PAINT = 0xa5, BIG = 65536, ALLOWED = 2048 };

/* A stack with a page below it that cannot be touched. */
static char *stack_of(size_t size)
{
	char *p = mmap(NULL, size + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(p != MAP_FAILED && !mprotect(p, 4096, PROT_NONE));
	return p + 4096;
}

static void use(char *stack, size_t size)
{
	stack_t alt = {.ss_sp = stack, .ss_size = size, .ss_flags = stack ? 0 : SS_DISABLE};

	CHECK(!sigaltstack(&alt, NULL));
}

static void nothing(int sig)
{
	(void)sig;
}

/* How much of the alternate stack this signal uses. */
static size_t used_by(int sig)
{
	static char *stack;
	size_t untouched = 0;

	if (!stack)
		stack = stack_of(BIG);
	memset(stack, PAINT, BIG);
	use(stack, BIG);
	CHECK(!raise(sig));
	use(NULL, 0);
	while (untouched < BIG && (unsigned char)stack[untouched] == PAINT)
		untouched++;
	return BIG - untouched;
}

/* What the last report says, without asking for another. */
static long long reported(const char *key)
{
	FILE *report = test_open_report();
	char line[1024];
	long long n = -1;

	while (report && fgets(line, sizeof line, report))
		if (test_line_has_key(line, key))
			n = strtoll(line, NULL, 10);
	if (report)
		fclose(report);
	return n;
}

/*
 * Two threads ask at the same time, each after a seek of its own.  Whoever is met writing by the
 * other writes once more, so the last report knows of both.
 */
static pthread_barrier_t both;
static long long seeks;

static void *asks(void *stack)
{
	int fd = open("a", O_RDONLY);
	long long now;

	use(stack, 8192);
	for (int i = 0; i < 300; i++) {
		pthread_barrier_wait(&both);
		GIVES(lseek(fd, i, SEEK_SET), i);
		CHECK(!raise(SIGUSR1));
		if (!pthread_barrier_wait(&both))
			continue;
		now = reported("seek.set");
		if (i > 1)
			CHECK_EQ(now, seeks + 2);
		seeks = now;
		CHECK(!truncate(getenv("SEEKLESS_REPORT"), 0)); /* so the next is read sooner */
	}
	use(NULL, 0);
	close(fd);
	return NULL;
}

static void *asks_on_smallest(void *unused)
{
	CHECK(!raise(SIGUSR1));
	return unused;
}

static void row(void)
{
	struct sigaction a = {.sa_handler = nothing, .sa_flags = SA_ONSTACK};
	pthread_attr_t smallest;
	pthread_t t[2];
	int fd = held("a", 100);

	sigfillset(&a.sa_mask);
	CHECK(!sigaction(SIGUSR2, &a, NULL));
	CHECK(used_by(SIGUSR2) > 500);
	if (!shim_is_on() || row_is_early) { /* the signal ends the process, as it should */
		AT(fd, 104);
		return;
	}
	if (used_by(SIGUSR1) > used_by(SIGUSR2) + ALLOWED)
		row_fail(__FILE__, __LINE__, "the report takes %zu bytes of stack, a bare handler %zu",
			 used_by(SIGUSR1), used_by(SIGUSR2));
	use(stack_of(8192), 8192);
	CHECK(!raise(SIGUSR1));
	use(NULL, 0);

	CHECK(!pthread_attr_init(&smallest) &&
	      !pthread_attr_setstacksize(&smallest, PTHREAD_STACK_MIN));
	CHECK(!pthread_create(&t[0], &smallest, asks_on_smallest, NULL) && !pthread_join(t[0], NULL));

	CHECK(!pthread_barrier_init(&both, NULL, 2));
	for (int i = 0; i < 2; i++)
		CHECK(!pthread_create(&t[i], NULL, asks, stack_of(8192)));
	for (int i = 0; i < 2; i++)
		CHECK(!pthread_join(t[i], NULL));
	AT(fd, 104);
	child_receives(fd, 104);
}
