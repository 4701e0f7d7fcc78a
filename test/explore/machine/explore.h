/* SPDX-License-Identifier: MIT */
/*
 * explore.h - the parts of the explorer among themselves.
 *
 *   machine.h   what the library's code announces      thread.c    threads, and their handler
 *   machine.c   system calls as steps                  kernel.c    system calls on files: test/model.h
 *   libc.c      what the library calls of libc         calls.c     the program: its calls
 *   case.c      cases: names, starts                   judge.c     were the results right?
 *   search.c    all interleavings                      order.c     which steps depend on which
 *   run.c       which cases, and what is printed       show.c      a schedule as a list
 *   outside.c   `seekless off`
 *
 * A thread is a coroutine.  It runs up to the announcement of a step and stops there; chosen, it does
 * the step and runs up to the next.  Thread 0 can have a signal: at one of its steps the handler's
 * operation runs on its stack, before the step.
 */
#ifndef EXPLORE_H
#define EXPLORE_H

#include "hot.h"
#include "machine.h"
#include "model.h"

enum { THREADS = 3, ACCESSES = 24, STEPS = 3000, FIRST_FD = 3 };

/* BEGIN and END are of a whole call: which came first matters, the order of two ENDs does not. */
enum access_kind { LOAD, STORE, BEGIN, END };
struct access {
	const volatile void *at;
	enum access_kind kind;
	size_t size;
	uint64_t before; /* a store that changes nothing is as good as a load */
};

enum wait { NO_WAIT, SLEEPS, AWAITS }; /* on a futex; for a change of anything that it has seen */

struct step {
	const struct place *place;
	const char *name;
	enum wait wait;
	bool is_outside; /* what it touches depends on the moment, too */
	bool is_call; /* a system call on files: what it touches depends on the moment */
	long nr, arg[4];
	int n;
	struct access access[2];
};

/* How a thread can go on; the codes of a schedule.  A time-out is that of a thread's sleep. */
enum { SIGNAL = THREADS, TIMEOUT, CODES = TIMEOUT + THREADS };
static inline int thread_of(int code)
{
	return code < THREADS ? code : code == SIGNAL ? 0 : code - TIMEOUT;
}

struct thread {
	void *sp; /* while others run */
	struct tls tls;
	struct step next;
	bool ended, masked;
	int code; /* by which it goes on */
	bool woken;
	int seen_count;
	struct access seen[ACCESSES]; /* since it last waited */
	/* A system call in the place of the program's (fly), and where in it the thread is. */
	struct flight *flying;
	enum { CRITICAL, CALLS, RETURNED, LEFT, ABORTED } pc;
	long result, mark;
};
extern struct thread threads[THREADS];
extern int running; /* the thread, or -1: no step is announced */
extern bool signal_is_due;

void threads_start(int n, void (*body)(int thread), void (*handler)(void));
void thread_step(int thread, int code);
/* Stops until the step is to be done.  False: a signal has come instead, where the thread slept. */
bool thread_announce(const struct step *s);
void thread_look_again(void);
void thread_place(const struct place *place); /* where only a signal may come */
void thread_call_edge(enum access_kind kind, const char *name);
int step_accesses(const struct thread *t, struct access *a);
uint64_t access_value(const struct access *a);

enum { STACK = 1 << 16 };
extern char stacks[THREADS][STACK];
bool is_in(const volatile void *at, const void *start, size_t size);

/* The kernel. */
struct kernel {
	struct model m;
	/* Raised when what they stand for changes, so that they have an address and a value. */
	uint32_t number[M_NUMBERS], ofd[M_OFDS], inode, sleepers;
	bool is_young[M_NUMBERS]; /* its open has not returned */
	bool stray;		  /* a call used one that was not open yet */
};
extern struct kernel kernel;
void kernel_start(void);
bool kernel_has_number(long fd);
long kernel_do(long nr, const long *arg);
int kernel_accesses(long nr, const long *arg, struct access *a);
/* Where sendfile to number SENT_FD + i sends. */
extern const char libc_is_single_threaded;
enum { SENT_FD = 100 };
extern uint16_t kernel_sent[M_CALLS][M_MOST];
const char *kernel_name(long nr);
#define NR_F_APPEND 100000 /* fcntl with F_SETFL */
#define NR_CHILD_READS 100001

/* `seekless off` (tools/seekless/hand_back.h), and then where the offset of the number is. */
void do_off(int fd);
int outside_accesses(struct access *a);

/* What the program does; the order of the names in case.c. */
enum op {
	READ_IT,
	WRITE_IT,
	SEEK_SET_IT,
	SEEK_CUR_IT,
	SEEK_END_IT,
	TELL_IT,
	POKE_AND_TELL,
	APPEND_IT,
	SENDFILE_IT,
	DUP2_HERE,
	DUP2_FROM,
	CLOSE_IT,
	REOPEN_IT,
	FORK_IT,
	DUP_IT,
	FSTAT_IT,
	OFF_IT, /* not a thread's: `seekless off`, while all stand still */
	OPS
};
enum start {
	NEW,
	READ_ONCE,
	LOOKED_AT,
	SOUGHT,
	HELD,
	HANDED_BACK,
	APPENDING,
	LET_GO,
	STARTS,
	WITH_DUP = STARTS
};

/* A case: two or three operations, a handler's, and what came before. */
struct explored {
	int threads, op[THREADS], handler; /* -1: none */
	int start, timeouts; /* how many sleeps may end by time where others can go on */
};
const char *case_name(const struct explored *c);
bool case_parse(struct explored *c, const char *name);
/* Makes the start of c; false if the library was wrong there already. */
bool case_begin(const struct explored *c);
void case_rewind(void);
void case_unjudged(void); /* no history has been judged yet */
/* NULL, or what is wrong with how it ended. */
const char *case_judge(void);
/* Of the histories of this case that were judged: how many there are, and a hash of their set. */
extern unsigned case_histories;
extern uint64_t case_outcomes;
void case_print_history(void);

/* The search. */
struct found {
	unsigned long whole, cut, strays, longest, cases; /* interleavings */
	bool unfinished;				  /* more than search_limit */
	const char *wrong;
	char schedule[STEPS + 1];
};
extern bool search_all;		   /* no reduction */
extern unsigned long search_limit; /* interleavings of one case; 0: none */
void search(const struct explored *c, struct found *f);
/* Runs one schedule, and prints its steps. */
const char *search_replay(const struct explored *c, const char *schedule);
void show_step(int code, const struct step *s);

#endif
