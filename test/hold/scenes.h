/* SPDX-License-Identifier: MIT */
/* scenes.h - what is combined with what in the late-call tests: A's call, B's calls, how it
 * begins. */
#ifndef HOLD_SCENES_H
#define HOLD_SCENES_H

#include "hold/steps.h"

typedef void step(struct world *, char *);

struct act {
	const char *name;
	step *steps[6];
};

/* clang-format off */
/* A makes one call, and is stopped in it. */
static const struct act acts_a[] = {
	{"read", {do_read}},
	{"write", {do_write}},
	{"readv", {do_readv}},
	{"writev", {do_writev}},
	{"lseek SET", {do_set_other}},
	{"lseek CUR", {do_cur}},
	{"lseek END", {do_end}},
	{"tell", {do_tell}},
	{"lseek bad", {do_set_bad}},
	{"dup2", {do_dup2}},
	{"close", {do_close}},
	{"sendfile", {do_sendfile}},
	{"append", {do_append}},
	{"fork", {do_fork}},
};

/* B makes all of its calls while A stands still. */
static const struct act acts_b[] = {
	{"first lseek", {do_set}},
	{"lseek, write", {do_set, do_write_other}},
	{"lseek, read", {do_set, do_read}},
	{"write", {do_write_other}},
	{"read, tell", {do_read, do_tell}},
	{"dprintf", {do_dprintf}},
	{"sendfile", {do_sendfile}},
	{"setfl", {do_no_append}},
	{"append, write", {do_append, do_write_other}},
	{"lseek, sendfile", {do_set, do_sendfile}},
	{"lseek, append, lseek, write", {do_set, do_append, do_set, do_write_other}},
	{"lseek, dprintf, write", {do_set, do_dprintf, do_write_other}},
	{"lseek into A's, write", {do_set_other, do_write_other}},
	{"end, write", {do_end, do_write_other}},
	{"close", {do_close}},
	{"close, open, lseek, write", {do_close, do_open, do_set_opened, do_write_opened}},
	{"open, lseek, write", {do_open, do_set_opened, do_write_opened}},
	{"dup2, lseek, write", {do_dup2, do_set, do_write_other}},
	{"lseek g, write g", {do_set_g, do_write_g}},
	{"fork", {do_fork}},
	{"vfork", {do_vfork}},
	{"lseek, vfork", {do_set, do_vfork}},
};
/* clang-format on */

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Who holds the offset at the start, as far as the program can bring it about. */
enum begin { NEVER_SOUGHT, SOUGHT, HANDED_BACK, APPENDING, BEGINS };
static const char *const begin_names[BEGINS] = {"never sought", "sought", "handed back",
						"appending"};

struct scene {
	const struct act *a, *b;
	enum begin begin;
	int keep; /* a dup of the descriptor is kept, and looked at in the end */
};

MAYBE unsigned steps_of(const struct act *act)
{
	unsigned n = 0;

	while (act->steps[n])
		n++;
	return n;
}

MAYBE int has(const struct act *act, step *what)
{
	for (unsigned i = 0; i < steps_of(act); i++)
		if (act->steps[i] == what)
			return 1;
	return 0;
}

/*
 * What the design gives up, and README lists as limits.  These scenes are left out, and
 * counted, unless the variable LIMITS is set.
 */
MAYBE int is_left_out(const struct act *a, const struct act *b, int by_handler)
{
	int reopens = has(b, do_close) && has(b, do_open);
	int asks_twice = has(b, do_set) && has(b, do_vfork);

	if (getenv("LIMITS"))
		return 0;
	/* A number that another thread is closing answers EBADF a moment before it is free. */
	if (has(a, do_close) && (reopens || asks_twice))
		return 1;
	/*
	 * In a handler, to the descriptor whose write it interrupted: write over the same
	 * bytes, turn O_APPEND on, or give the number to another file.  The interrupted write
	 * is still to come.
	 */
	return by_handler && (has(a, do_write) || has(a, do_writev)) &&
	       (has(b, do_set_other) || has(b, do_append) || has(b, do_dup2) || reopens);
}

#endif
