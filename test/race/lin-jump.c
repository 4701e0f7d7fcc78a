/* SPDX-License-Identifier: MIT */
/* lin-jump.c - handlers that jump out of the calls, some after a call of their own. See lin.h. */
// may skip: where its threads seldom meet
// runs: bare keep on
#include <setjmp.h>
#include "race/lin-signals.h"

static __thread sigjmp_buf out;
static __thread volatile sig_atomic_t is_inside, is_handler;

/* Only out of calls of which can be said what they return if they are done. */
static long make_jumpable(const struct round *r, struct lin_call *c)
{
	long got;

	if (is_handler || (c->m.op == M_LSEEK && c->m.whence != SEEK_SET))
		return call_make(r, c);
	if (sigsetjmp(out, 1)) {
		c->jumped = 1;
		return 0;
	}
	is_inside = 1;
	got = call_make(r, c);
	is_inside = 0;
	return got;
}

static void on_kick(int sig)
{
	(void)sig;
	is_handler = 1;
	handler_do();
	is_handler = 0;
	if (is_inside) {
		is_inside = 0;
		siglongjmp(out, 1);
	}
}

int main(int argc, char **argv)
{
	(void)argc;
	lin_must = &lin_jumps;
	lin_make = make_jumpable;
	return signals_main("lin-jump", argv, on_kick);
}
