/* SPDX-License-Identifier: MIT */
/*
 * All interleavings of the library's own steps: two operations by two threads, and a signal handler's.
 * machine/explore.h tells how, machine/run.h what can be asked for.
 */
// timeout: 300
#include "machine/run.h"

/* Those with many steps: two of them have too many interleavings for every day. */
static bool is_long(int op)
{
	return op == APPEND_IT || op == POKE_AND_TELL ||
	       (op >= DUP2_HERE && op != CLOSE_IT && op != FSTAT_IT && op != OFF_IT);
}

static void all_handlers(struct explored c, bool (*wanted)(const struct explored *))
{
	for (c.handler = 0; c.handler < OFF_IT; c.handler++)
		if (!wanted || wanted(&c))
			run_case(&c);
}

static void one_and_handler(int starts)
{
	struct explored c = {.threads = 1};

	for (c.start = 0; c.start < starts; c.start++)
		for (c.op[0] = 0; c.op[0] < OFF_IT; c.op[0]++)
			all_handlers(c, NULL);
}

static void pairs(int starts, int long_ones, int timeouts)
{
	struct explored c = {.threads = 2, .handler = -1, .timeouts = timeouts};

	for (c.start = 0; c.start < starts; c.start++)
		for (c.op[0] = 0; c.op[0] < OPS; c.op[0]++)
			for (c.op[1] = c.op[0]; c.op[1] < OPS; c.op[1]++)
				if (is_long(c.op[0]) + is_long(c.op[1]) == long_ones)
					run_case(&c);
}

static void pairs_and_handler(int starts, bool (*wanted)(const struct explored *))
{
	struct explored c = {.threads = 2};

	for (c.start = 0; c.start < starts; c.start++)
		for (c.op[0] = 0; c.op[0] < OPS; c.op[0]++)
			for (c.op[1] = 0; c.op[1] < OPS; c.op[1]++)
				all_handlers(c, wanted);
}

static bool is_short(const struct explored *c)
{
	return !is_long(c->op[0]) && !is_long(c->op[1]) && !is_long(c->handler);
}
/* The closer waits for a call, in whose handler the number is used. */
static bool is_closed_under_handler(const struct explored *c)
{
	return c->start == HELD && c->op[0] == WRITE_IT && c->op[1] == CLOSE_IT &&
	       !is_long(c->handler);
}
static bool is_daily(const struct explored *c)
{
	if (is_closed_under_handler(c))
		return true;
	return (c->start == HELD || c->start == HANDED_BACK) &&
	       (c->op[0] == READ_IT || c->op[0] == SEEK_CUR_IT || c->op[0] == SENDFILE_IT) &&
	       (c->op[1] == READ_IT || c->op[1] == TELL_IT) &&
	       (c->handler == READ_IT || c->handler == SEEK_SET_IT || c->handler == SENDFILE_IT);
}
static bool is_other(const struct explored *c)
{
	return !is_short(c);
}

/* A number that changes hands while another one keeps its description. */
static void with_a_dup(int start)
{
	struct explored c = {.threads = 2, .handler = -1, .start = start + WITH_DUP};

	for (c.op[0] = 0; c.op[0] < OPS; c.op[0]++)
		for (c.op[1] = DUP2_HERE; c.op[1] <= REOPEN_IT; c.op[1]++)
			if (!is_long(c.op[0]))
				run_case(&c);
}

static void quick(void)
{
	run_stage("one thread and its handler", 8000);
	one_and_handler(STARTS);
	run_stage("two threads", 8000);
	pairs(STARTS, 0, 0);
	run_stage("two threads, one of them with a long operation", 8000);
	pairs(STARTS, 1, 0);
	run_stage("two threads, one changes a number of two", 8000);
	with_a_dup(SOUGHT);
	with_a_dup(HELD);
	run_stage("two threads and a handler", 8000);
	pairs_and_handler(STARTS, is_daily);
}

static void full(void)
{
	run_stage("one thread and its handler", 0);
	one_and_handler(STARTS + WITH_DUP);
	run_stage("two threads", 0);
	pairs(STARTS + WITH_DUP, 0, 0);
	run_stage("two threads, a sleep may end by time", 1000000);
	pairs(STARTS, 0, 1);
	run_stage("two threads, one of them with a long operation", 1000000);
	pairs(STARTS + WITH_DUP, 1, 0);
	run_stage("two threads and a handler", 1000000);
	pairs_and_handler(STARTS, is_short);
	run_stage("two threads with long operations", 1000000);
	pairs(STARTS + WITH_DUP, 2, 0);
	run_stage("two threads and a handler, with long operations", 100000);
	pairs_and_handler(STARTS, is_other);
}

int main(void)
{
	return run_all(quick, full);
}
