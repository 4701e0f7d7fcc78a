/* SPDX-License-Identifier: MIT */
/* lin-fork.c - two threads on one description, and in the middle of it each may fork a child, which
 * uses it, too. See lin.h. */
// may skip: where its threads seldom meet
// runs: bare keep on
#include "race/lin.h"

static _Atomic unsigned long children;

/* The child does what is planned for it, while the threads of its parent go on. */
static void have_child(struct round *r, int how, int actor)
{
	unsigned long kind;
	pid_t pid;

	if (how == DO_ALARM) {
		alarm_soon();
		return;
	}
	kind = atomic_fetch_add(&children, 1) % 4;
	pid = kind == 0	  ? _Fork()
	      : kind == 1 ? (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)
			  : fork();

	MUST(pid >= 0);
	if (!pid) {
		plan_run(r, actor);
		_exit(0);
	}
}

static void children_wait(void)
{
	int status;

	while (wait(&status) > 0)
		if (status)
			fail("a child ended with status %x", status);
	MUST(errno == ECHILD);
}

int main(int argc, char **argv)
{
	(void)argc;
	lin_init("lin-fork", argv);
	lin_special = have_child;
	alarms_by(alarm_is_a_stall);
	threads_start(2);
	while (lin_more(1)) {
		for (int i = 0; i < BATCH; i++) {
			struct round *r = round_open(i);

			for (unsigned t = 0; t < 4; t++)
				plan_make(&r->plan[t], t < 2 ? 8 : 6, i % 8 < 2);
			plan_add(&r->plan[!(i % 2)], DO_ALARM, 0);
			plan_add(&r->plan[i % 2], DO_FORK, 2);
			if (i % 4 == 3)
				plan_add(&r->plan[!(i % 2)], DO_FORK, 3);
		}
		batch_run(0);
		children_wait();
		for (int i = 0; i < BATCH; i++)
			round_close(&lin->round[i]);
	}
	threads_stop();
	return lin_end(lin_calls / 20);
}
