/* SPDX-License-Identifier: MIT */
/*
 * lin-kill.c - a process with two threads forks in the middle of their calls; then one of the two
 * processes kills the other one, or stops it for a while, and goes on with the description that they
 * share.  Calls of a killed process were made or not, but nothing in between.  See lin.h.
 */
// may skip: where its threads seldom meet
// runs: bare keep on
#include <poll.h>
#include <sys/prctl.h>
#include "race/lin.h"

enum { PARENT, HELPER, CHILD };
static pid_t parent;
static struct told {
	_Atomic unsigned long kills, stops, served, met, enough;
	_Atomic int parent_is_over; /* it makes no more calls */
} * told;

/* pidfd_open, which shows an end also before anybody has waited. */
static void end_wait(pid_t pid)
{
	struct pollfd p = {.fd = (int)syscall(434, pid, 0), .events = POLLIN};

	if (p.fd < 0 && errno == ESRCH)
		return; /* somebody has waited */
	MUST(p.fd >= 0);
	MUST(poll(&p, 1, 10000) == 1);
	close(p.fd);
}

static void hit(pid_t pid, int how)
{
	kill(pid, how == DO_KILL ? SIGKILL : how == DO_STOP ? SIGSTOP : SIGCONT);
	if (how == DO_KILL)
		atomic_fetch_add(&told->kills, 1);
	if (how == DO_STOP)
		atomic_fetch_add(&told->stops, 1);
}

static pid_t child;

/* The child: its calls, then it waits until the parent is dead, or done. */
static void __attribute__((noreturn)) child_run(struct round *r, bool kills)
{
	alarm(60);
	plan_run(r, CHILD);
	if (kills)
		end_wait(parent);
	if (kills)
		round_look(r);
	_exit(0);
}

static bool child_kills;

static void special(struct round *r, int what, int actor)
{
	pid_t pid;

	if (what != DO_FORK) {
		pid = actor == PARENT ? parent : child;
		if (pid > 0)
			hit(pid, what);
		return;
	}
	pid = fork();
	MUST(pid >= 0);
	if (!pid)
		child_run(r, child_kills);
	child = pid;
}

/* In the child's plan or in the parent's, behind the fork: who hits whom. */
static void plan_hits(struct round *r, unsigned how)
{
	struct plan *from = &r->plan[how & 1 ? CHILD : PARENT];
	int whom = how & 1 ? PARENT : CHILD;
	int last = from->n - 1;

	r->plan[PARENT].call[2] = (struct m_call){.op = (enum m_op)DO_FORK};
	if (how < 2) {
		from->call[4 + dice(4)] = (struct m_call){.op = (enum m_op)DO_KILL, .number = whom};
		return;
	}
	from->call[4 + dice(3)] = (struct m_call){.op = (enum m_op)DO_STOP, .number = whom};
	from->call[last] = (struct m_call){.op = (enum m_op)DO_CONT, .number = whom};
}

static void *helper_run(void *arg)
{
	meet(&lin->start, 2);
	plan_run(arg, HELPER);
	return NULL;
}

/* The process that opens the description, and may be killed. */
static void __attribute__((noreturn)) parent_run(unsigned how)
{
	struct round *r = round_open((int)(lin_rounds % BATCH));
	pthread_t helper;
	int status;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	parent = getpid();
	child_kills = how == 1;
	for (int i = 0; i < 3; i++)
		plan_make(&r->plan[i], i == CHILD ? 10 : 9, lin_rounds % 16 < 4);
	plan_hits(r, how);
	MUST(!pthread_create(&helper, NULL, helper_run, r));
	meet(&lin->start, 2);
	plan_run(r, PARENT);
	MUST(!pthread_join(helper, NULL));
	if (child_kills)
		end_wait(child); /* which kills us before */
	MUST(waitpid(child, &status, 0) == child);
	if (how == 0 ? status != SIGKILL && status != 0 : status != 0)
		fail("the child ended with status %x", status);
	round_look(r);
	if (lin_rounds % 64 == 2) {
		counters_take();
		told->served += counter("read.positioned") + counter("write.positioned");
		told->met += counter("retry") + counter("wait") + counter("back.fork") +
			     counter("gone.fork");
	}
	_exit(0);
}

static void one_round(void)
{
	struct round *r = &lin->round[lin_rounds % BATCH];
	unsigned how = lin_rounds % 4;
	int status;
	pid_t pid, ended;

	memset(&lin->start, 0, sizeof lin->start);
	r->at = -1;
	pid = fork();
	MUST(pid >= 0);
	if (!pid)
		parent_run(how);
	while ((ended = wait(&status)) > 0)
		if (status && !(ended == pid && how == 1 && status == SIGKILL))
			fail("round %lu: a process ended with status %x", lin_rounds, status);
	MUST(errno == ECHILD && r->at >= 0);
	rnd(&lin_rng);
	round_judge(r);
	told->enough = lin_rounds >= 10 && told->kills && told->stops &&
		       (!shim_is_on() || (told->served && told->met));
}

int main(int argc, char **argv)
{
	(void)argc;
	lin_init("lin-kill", argv);
	told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	MUST(told != MAP_FAILED);
	MUST(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
	lin_must = &told->enough;
	lin_elsewhere = true;
	lin_special = special;
	while (lin_more(1))
		one_round();
	printf("%lu rounds, %lu calls in %.1f s, %lu kills, %lu stops, %lu calls never came back; "
	       "shim, in some of the rounds: %lu served, %lu meetings\n",
	       lin_rounds, lin_calls, now() - lin_began, told->kills, told->stops,
	       atomic_load(&lin_lost), told->served, told->met);
	return told->enough ? 0 : lin_untested("no kills, stops or meetings");
}
