/* SPDX-License-Identifier: MIT */
/* lin-round.h - the rounds: their files, their beginning and end, how many there are. */
#ifndef RACE_LIN_ROUND_H
#define RACE_LIN_ROUND_H

#include <dlfcn.h>

static int lin_plain[BATCH];
static double lin_began, lin_seconds;
static unsigned long lin_wanted;
static _Atomic unsigned long *lin_must; /* what must have been, beside meetings, or NULL */
static bool lin_elsewhere;		/* the shim that counts is another process's */

/*
 * In the test build's hooks, which stand before the steps that matter: often a moment, seldom the
 * processor.  For long where a number changes hands, and where nobody would wait for us.
 */
MAYBE void linger(const char *point, int fd)
{
	const struct timespec nap = {0, 50000};
	static __thread uint64_t rng;
	uint32_t r, turns;

	(void)fd;
	if (!rng)
		rng = lin_seed ^ (uintptr_t)&rng;
	r = rnd(&rng);
	turns = !strcmp(point, "onto") ? 2000 : r % 4 == 0 ? r / 256 % 200 : 0;
	if (!strcmp(point, "late") && r % 2)
		syscall(SYS_nanosleep, &nap, NULL);
	else if (r % 256 == 0)
		syscall(SYS_sched_yield);
	else
		while (turns--)
			relax();
}

MAYBE void linger_at_hooks(void)
{
	void (**hook)(const char *, int) = dlsym(RTLD_DEFAULT, "seekless_hook");

	if (hook)
		*hook = linger;
}

/* For N rounds; or, where nobody names a number, for LIN_SECONDS, or 1. */
MAYBE void lin_init(const char *name, char **argv)
{
	const char *seed = getenv("SEED"), *n = getenv("N"), *seconds = getenv("LIN_SECONDS");

	counters_ready(argv);
	lin_name = name;
	lin_seed = seed && *seed ? strtoul(seed, NULL, 0) : (instant() ^ (uint64_t)getpid()) | 1;
	lin_rng = lin_seed * 0x9e3779b97f4a7c15u | 1;
	lin_wanted = amount(1000000000);
	lin_seconds = n && *n ? 1e9 : seconds && *seconds ? strtod(seconds, NULL) : 1;
	lin_began = now();
	lin = mmap(NULL, sizeof *lin, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	MUST(lin != MAP_FAILED);
	for (int i = 0; i < BATCH; i++) {
		lin_path[i] = new_path(i % 2 ? "/dev/shm" : disk_dir());
		MUST((lin_plain[i] = open(lin_path[i], O_RDWR | O_CLOEXEC)) >= 0);
	}
	linger_at_hooks();
	printf("SEED=%lu\n", (unsigned long)lin_seed);
	fflush(stdout);
}

MAYBE unsigned long lin_met(void)
{
	counters_take();
	return counter("retry") + counter("wait");
}

/* Has it happened what the program is for?  Asked for seldom: the shim writes a report for it. */
MAYBE int lin_enough(void)
{
	static double next;

	if (now() < next)
		return 0;
	next = now() + 0.5;
	return (!lin_must || atomic_load(lin_must)) &&
	       (!shim_is_on() || lin_elsewhere || lin_met());
}

/* Until this part (of 1) of the rounds is done.  Where threads seldom run at the same time, go on
 * for a while until they have met. */
MAYBE int lin_more(double part)
{
	double took = now() - lin_began;

	if ((double)lin_rounds >= part * (double)lin_wanted)
		return 0;
	return took < part * lin_seconds || (part >= 1 && took < lin_seconds + 30 && !lin_enough());
}

MAYBE void file_start(struct round *r, int cells)
{
	unsigned char bytes[M_CELLS];
	int plain = lin_plain[r->file];

	for (int i = 0; i < cells; i++)
		bytes[i] = (unsigned char)(i + 1);
	MUST(ftruncate(plain, cells) == 0);
	MUST(pwrite(plain, bytes, (size_t)cells, 0) == cells);
	memset(r->call, 0, sizeof r->call);
	atomic_store(&r->calls, 0);
	next_value = 0;
	model_start(&r->start, cells);
}

/* A new description, which the shim takes before the round; two numbers for it. */
MAYBE struct round *round_open(int file)
{
	struct round *r = &lin->round[file];
	int at = (int)dice(CELLS);

	r->file = file;
	file_start(r, CELLS);
	MUST((r->fd[0] = open(lin_path[file], O_RDWR | O_CLOEXEC)) >= 0);
	MUST((r->fd[1] = dup(r->fd[0])) >= 0);
	for (int i = 0; i < 3; i++)
		MUST(lseek(r->fd[0], at + 2 - i, SEEK_SET) == at + 2 - i);
	model_open(&r->start, 0);
	r->start.ofd_of[1] = 0;
	r->start.ofd[0].refs = 2;
	r->start.ofd[0].at = (int16_t)at;
	return r;
}

/* What the file holds in the end, and the model as the kernel has it. */
MAYBE void cells_see(struct model *m, const struct round *r)
{
	unsigned char bytes[M_CELLS + 1];
	ssize_t n = pread(lin_plain[r->file], bytes, sizeof bytes, 0);

	MUST(n >= 0 && n <= M_CELLS);
	m->size = (int16_t)n;
	memset(m->cell, 0, sizeof m->cell);
	cells_seen(m->cell, bytes, (int)n);
}

MAYBE void model_see(struct model *m, const struct round *r)
{
	*m = r->start;
	cells_see(m, r);
	m->ofd[0].at = (int16_t)r->at;
	m->ofd[0].append = !!(r->flags & O_APPEND);
}

MAYBE void round_count(struct round *r)
{
	int n = history_size(r);

	for (int i = 0; i < n; i++) {
		lin_calls += r->call[i].m.begin != 0;
		lin_lost += r->call[i].m.begin && r->call[i].m.end == UINT64_MAX;
		lin_jumps += (unsigned)r->call[i].jumped;
	}
	lin_rounds++;
}

/* By who still has the description, when nobody uses it any more. */
MAYBE void round_look(struct round *r)
{
	r->at = (int)lseek(r->fd[0], 0, SEEK_CUR);
	r->flags = fcntl(r->fd[0], F_GETFL);
}

MAYBE void round_judge(struct round *r)
{
	struct model want;

	model_see(&want, r);
	history_judge(r, &want);
	round_count(r);
}

MAYBE void round_close(struct round *r)
{
	round_look(r);
	round_judge(r);
	MUST(close(r->fd[0]) == 0 && close(r->fd[1]) == 0);
}

/* ---- threads that make the same round ---- */

static pthread_t lin_threads[ACTORS];
static unsigned lin_parties;
static void (*lin_thread_init)(void);

/* Wait for the others to come to this round, if they do so soon. */
MAYBE void gather(unsigned thread, unsigned round)
{
	atomic_store(&lin->place[thread], round + 1);
	for (unsigned t = 0; t < lin_parties; t++)
		for (int i = 0; i < 300 && atomic_load(&lin->place[t]) < round + 1; i++)
			relax();
}

/* All rounds of a batch, or false: there are no more. */
MAYBE bool batch_run(unsigned thread)
{
	meet(&lin->start, lin_parties);
	if (atomic_load(&lin->stop))
		return false;
	for (unsigned i = 0; i < lin_batch; i++) {
		gather(thread, i);
		plan_run(&lin->round[i], (int)thread);
	}
	meet(&lin->finish, lin_parties);
	atomic_store(&lin->place[thread], 0);
	return true;
}

MAYBE void *lin_work(void *arg)
{
	if (lin_thread_init)
		lin_thread_init();
	while (batch_run((unsigned)(intptr_t)arg))
		;
	return NULL;
}

MAYBE void threads_start(unsigned parties)
{
	atomic_store(&lin->stop, 0);
	memset(&lin->start, 0, sizeof lin->start);
	memset(&lin->finish, 0, sizeof lin->finish);
	lin_parties = parties;
	lin_threads[0] = pthread_self();
	for (unsigned t = 1; t < parties; t++)
		MUST(!pthread_create(&lin_threads[t], NULL, lin_work, (void *)(intptr_t)t));
}

MAYBE void threads_stop(void)
{
	atomic_store(&lin->stop, 1);
	batch_run(0);
	for (unsigned t = 1; t < lin_parties; t++)
		MUST(!pthread_join(lin_threads[t], NULL));
}

/* Where the threads have not met, and be it in half a minute, nothing was tested: a skip. */
MAYBE int lin_untested(const char *why)
{
	printf("nothing was tested: %s in %lu rounds of %lu calls, %.1f s\n", why, lin_rounds,
	       lin_calls, now() - lin_began);
	return 77;
}

/* The figures.  That the shim answers too few calls is no matter of chance. */
MAYBE int lin_end(unsigned long least_served)
{
	unsigned long met = lin_met(), served;

	served = counter("read.positioned") + counter("write.positioned") + counter("seek.set") +
		 counter("seek.cur") + counter("seek.end");
	printf("%lu rounds, %lu calls in %.1f s, %lu in handlers, %lu jumped out of, %lu never "
	       "came back; shim: %lu served, %lu meetings, %lu let go, %lu settled before a jump\n",
	       lin_rounds, lin_calls, now() - lin_began, atomic_load(&lin_handled),
	       atomic_load(&lin_jumps), atomic_load(&lin_lost), served, met,
	       counter("gone.contention"), counter("jumped"));
	if (lin_must && !atomic_load(lin_must))
		return lin_untested("what this program is for did not happen");
	if (shim_is_on() && served < least_served)
		fail("the shim has served too little\n%s", report_text ? report_text : "no report");
	if (shim_is_on() && !met)
		return lin_untested("the threads never met");
	return 0;
}

#endif
