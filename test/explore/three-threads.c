/* SPDX-License-Identifier: MIT */
/* All interleavings of the library's own steps: three operations by three threads.  See two-threads.c. */
// timeout: 300
#include "machine/run.h"

static bool is_of_few_steps(int op)
{
	return op == READ_IT || op == SEEK_SET_IT || op == SEEK_CUR_IT || op == TELL_IT ||
	       op == FSTAT_IT || op == CLOSE_IT;
}

/* Threads are alike: each set of operations once. */
static void triples(int start, int long_ones)
{
	struct explored c = {.threads = 3, .handler = -1, .start = start};

	for (c.op[0] = 0; c.op[0] < OPS; c.op[0]++)
		for (c.op[1] = c.op[0]; c.op[1] < OPS; c.op[1]++)
			for (c.op[2] = c.op[1]; c.op[2] < OPS; c.op[2]++)
				if (3 - is_of_few_steps(c.op[0]) - is_of_few_steps(c.op[1]) -
					    is_of_few_steps(c.op[2]) ==
				    long_ones)
					run_case(&c);
}

static void quick(void)
{
	run_stage("three threads, an offset that is ours", 3000);
	triples(HELD, 0);
	run_stage("three threads, an offset that was handed back", 3000);
	triples(HANDED_BACK, 0);
}

static void full(void)
{
	for (int long_ones = 0; long_ones <= 3; long_ones++) {
		static const char *const names[] = {"three threads",
						    "three threads, one with a longer operation",
						    "three threads, two with longer ones",
						    "three threads, all with longer ones"};

		run_stage(names[long_ones], 1000000);
		for (int start = 0; start < STARTS; start++)
			triples(start, long_ones);
	}
}

int main(void)
{
	return run_all(quick, full);
}
