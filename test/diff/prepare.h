/* SPDX-License-Identifier: MIT */
/* How a process of a history begins. */
#ifndef SEEKLESS_DIFF_PREPARE_H
#define SEEKLESS_DIFF_PREPARE_H

#include "passing.h"

/* Lines go to a number of their own; 0, 1 and 2 are as if inherited, and nothing else is open. */
static void prepare(void)
{
	struct rlimit l;
	long null;

	getrlimit(RLIMIT_NOFILE, &l);
	if (l.rlim_cur < 8192 && l.rlim_max >= 8192) {
		l.rlim_cur = 8192;
		setrlimit(RLIMIT_NOFILE, &l);
	}
	if (raw(SYS_dup3, 1, OUTPUT, 0, 0) != OUTPUT)
		_exit(3);
	null = raw(SYS_openat, AT_FDCWD, (long)"/dev/null", O_RDWR, 0);
	for (int i = 0; i < 3; i++)
		raw(SYS_dup3, null, i, 0, 0);
	for (int i = 3; i < OUTPUT; i++)
		raw(SYS_close, i, 0, 0, 0);
	prepare_signals();
	make_room();
	remember_program();
	start_helper();
}

/* The program that was started: it looks, and makes the calls of a block. */
static int started(const char *text)
{
	depth = STARTED;
	prepare_signals();
	make_room();
	remember_program();
	kernel_offsets(1);
	run_text(text);
	leave();
	return 0;
}

#endif
