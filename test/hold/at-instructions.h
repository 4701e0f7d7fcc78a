/* SPDX-License-Identifier: MIT */
/*
 * at-instructions.h - A stops after any single instruction of its call.
 *
 * The child that runs the scenes is traced by its parent, which lets A make so many steps, and
 * then lets B act: wakes B's thread, while A stands still, or sends A the signal whose handler
 * is B.  This needs no hooks: it finds what may happen between two places that nobody thought
 * of.
 *
 * To try every instruction of every scene takes long: the variable EVERY=1 does that.
 * Otherwise each scene tries a few, others than the scene before.
 */
#ifndef HOLD_AT_INSTRUCTIONS_H
#define HOLD_AT_INSTRUCTIONS_H

#include "hold/hold.h"

static struct stepper {
	_Atomic int stepping; /* the child stops to be stepped through A's call */
	_Atomic int sent;     /* B's turn came before its end */
	unsigned steps;	      /* to make before B acts */
	unsigned length;      /* instructions of A's call, once it was stepped through */
} * stepper;		      /* shared memory */

static unsigned tries = 3;

static int stepping_is_possible(void)
{
	stepper = mmap(NULL, sizeof *stepper, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	MUST(stepper != MAP_FAILED);
	if (getenv("EVERY"))
		tries = 0;
	return 1;
}

/* Forks take milliseconds each; the rest is a choice. */
static int wants_quick(const struct scene *s)
{
	return !has(s->a, do_fork) && !has(s->b, do_fork) && !has(s->b, do_vfork) &&
	       (s->begin == SOUGHT || (s->begin == NEVER_SOUGHT) != s->keep);
}

/* In the child: stop for the tracer, make A's call.  The first run tells how long the call is.
 */
static int run_some_steps(unsigned n)
{
	static uint64_t rng;
	pthread_t b = stop_begin();

	if (!n) {
		rng = tally->runs * 2654435761ul + 1;
		stepper->steps = 100000;
	} else {
		stepper->steps = tries ? rnd(&rng) % stepper->length : n - 1;
	}
	snprintf(stopped_at, sizeof stopped_at, "instruction %u of %u", stepper->steps,
		 n ? stepper->length : 0);
	atomic_store(&stepper->sent, 0);
	atomic_store(&stepper->stepping, 1);
	*world.call_over = 0;
	raw(SYS_tgkill, getpid(), raw(SYS_gettid, 0, 0, 0, 0, 0), SIGSTOP, 0, 0);
	scene->a->steps[0](&world, world.text[0]);
	stop_end(b, !atomic_load(&stepper->sent));
	return n < (tries ? tries : stepper->length);
}

/* The tracer's turn, while A stands still. */
static void b_turn(pid_t pid)
{
	atomic_store(&stepper->sent, 1);
	if (by_handler)
		MUST(syscall(SYS_tgkill, pid, pid, SIGUSR2) == 0);
	else
		let_b_act(2000);
}

/* The child stands at the beginning of A's call.  Returns its status when it has gone. */
static void make_steps(pid_t pid)
{
	int status, sig = 0;

	for (unsigned i = 0; i < stepper->steps; i++) {
		MUST(ptrace(PTRACE_SINGLESTEP, pid, 0, sig) == 0);
		MUST(waitpid(pid, &status, 0) == pid && WIFSTOPPED(status));
		sig = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
		if (*world.call_over) {
			stepper->length = i + 1;
			return;
		}
	}
	b_turn(pid);
}

static int trace(pid_t pid)
{
	int status, sig;

	for (;;) {
		MUST(waitpid(pid, &status, 0) == pid);
		if (!WIFSTOPPED(status))
			return status;
		sig = WSTOPSIG(status);
		if (sig == SIGSTOP && atomic_exchange(&stepper->stepping, 0)) {
			make_steps(pid);
			sig = 0;
		}
		ptrace(PTRACE_CONT, pid, 0, sig);
	}
}

static const struct way at_instructions = {stepping_is_possible, wants_quick, run_some_steps,
					   trace, 1};

#endif
