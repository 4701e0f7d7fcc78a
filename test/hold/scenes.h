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
	{"pwrite, tell", {do_pwrite, do_tell}},
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
	{"close, open, rewind, read", {do_close, do_open, do_rewind_opened, do_read_opened}},
	{"open, lseek, write", {do_open, do_set_opened, do_write_opened}},
	{"dup2, lseek, write", {do_dup2, do_set, do_write_other}},
	{"lseek g, write g", {do_set_g, do_write_g}},
	{"lseek kept, lseek", {do_set_kept, do_set}},
	{"fork", {do_fork}},
	{"vfork", {do_vfork}},
	{"lseek, vfork", {do_set, do_vfork}},
};
/* clang-format on */

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Who holds the offset at the start, as far as the program can bring it about. */
enum begin { NEVER_SOUGHT, LOOKED_AT, SOUGHT, HANDED_BACK, APPENDING, BEGINS };
static const char *const begin_names[BEGINS] = {"never sought", "looked at", "sought",
						"handed back", "appending"};

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
 * The kernel's sendfile takes f_pos at its start and puts it back at its end, without the lock:
 * where it and another thread's call really ran at the same time, the result proves nothing.
 */
MAYBE int kernel_itself_races(const struct act *a, const struct act *b)
{
	return has(a, do_sendfile) || has(b, do_sendfile);
}

#endif
