/* SPDX-License-Identifier: MIT */
/* Chosen: streams, and blocks of calls that are made in other threads, handlers and processes. */
#ifndef SEEKLESS_DIFF_CHOOSE_BLOCKS_H
#define SEEKLESS_DIFF_CHOOSE_BLOCKS_H

#include "choose_files.h"

/* How many calls of a thousand concern other processes: of a block, and now. */
static void choose(int per_mille);

/* ---- streams ---- */

static int a_stream(int there)
{
	int i = (int)below(STREAMS);

	for (int n = 0; n < STREAMS; n++, i = (i + 1) % STREAMS)
		if (!streams[i] == !there)
			break;
	return i;
}

static void choose_fopen(void)
{
	int i = a_stream(0), fd = a_number();

	if (are_enough_open())
		return;
	switch (below(8)) {
	case 0:
		ADD(ANY(OP_tmpfile, OP_tmpfile64), i);
		break;
	case 1:
		if (percent(10))
			ADD(OP_popen, i, below(2));
		break;
	case 2:
	case 3:
		ADD(ANY(OP_fopen, OP_fopen64), i, a_file(), below(8));
		break;
	default:
		ADD(OP_fdopen, i, fd, below(8));
		where_now(fd);
	}
}

static void choose_stream(void)
{
	int i = a_stream(1);
	long n = 1 + below(percent(20) ? 6000 : 40);

	switch (below(10)) {
	case 0:
	case 1:
		ADD(OP_fread, i, n);
		break;
	case 2:
	case 3:
		ADD(OP_fwrite, i, n, a_seed());
		break;
	case 4:
		ADD(OP_fseek, i, below(3000), percent(70) ? SEEK_SET : SEEK_CUR);
		break;
	case 5:
		ADD(OP_ftell, i);
		break;
	case 6:
		ADD(OP_fflush, i);
		break;
	case 7:
		ADD(OP_fgetc, i);
		break;
	case 8:
		ADD(OP_ungetc, i);
		break;
	default:
		ADD(OP_fileno, i);
	}
}

static void choose_fclose(void)
{
	ADD(OP_fclose, a_stream(1));
}

static void choose_freopen(void)
{
	int i = a_stream(1);

	if (percent(20))
		ADD(OP_freopen_same, i, below(8));
	else
		ADD(ANY(OP_freopen, OP_freopen64), i, a_file(), below(8));
}

static void choose_folder(void)
{
	switch (below(3)) {
	case 0:
		if (are_enough_open())
			break;
		ADD(OP_open, percent(80) ? 12 : a_file(), O_RDONLY | O_CLOEXEC);
		if (!nested && known.count)
			ADD(OP_fdopendir, a_number());
		break;
	case 1:
		ADD(OP_fdopendir, a_number());
		break;
	default:
		ADD(OP_closedir, 0);
	}
}

/* ---- blocks ---- */

/* The calls of a block are chosen before they are made, and what they do to numbers is forgotten. */
static void choose_calls(int calls, int per_mille)
{
	nested++;
	while (calls-- > 0 && list_used < LIST - 20)
		choose(nested < 2 ? per_mille : 0);
	nested--;
}

static void choose_block(int calls, int per_mille)
{
	struct numbers before = known;

	choose_calls(calls, per_mille);
	known = before;
	ADD(OP_end, 0);
}

/* Of a process of its own, which may become another program, with what it has opened itself. */
static void choose_child_block(int calls, int per_mille)
{
	struct numbers before = known;

	choose_calls(calls, per_mille);
	if (percent(20)) {
		choose_calls(4, 0);
		ADD(OP_become, below(11));
		choose_block(3, 0);
	}
	known = before;
	ADD(OP_end, 0);
}

static int some_calls(void)
{
	return percent(5) ? 50 : 1 + (int)below(12);
}

/* In a thread, a handler: without further blocks; where memory or libc's own state is in between,
 * without streams. */
static void choose_plain_block(int calls, int without_streams)
{
	int before = plain;

	plain = 1 + without_streams;
	choose_block(calls, 0);
	plain = before;
}

static void choose_fork(void)
{
	ADD(OP_in_child, MOSTLY(0, 1, 2, 3, 5, 7, nested ? 6 : 0));
	if (nested && percent(30)) /* it ends all tracking in the child */
		ADD(ANY(OP_unshare, OP_filter_nothing, OP_deep_library, OP_login_tty), CLONE_FILES);
	choose_child_block(some_calls(), 60);
	if (percent(30))
		for (int i = 0; i < known.count; i++)
			ADD(OP_lseek, known.open[i], 0, SEEK_CUR);
}

static void choose_look(void)
{
	ADD(OP_in_child, MOSTLY(0, 1, 2, 7));
	ADD(OP_end, 0);
}

/* What ends the tracking: in a child, that has files of its own before. */
static void choose_last_child(void)
{
	struct numbers before = known;

	ADD(OP_in_child, 0);
	ADD(OP_open, below(5), O_RDWR | O_CREAT);
	ADD(OP_lseek, 3 + below(9), below(300), SEEK_SET);
	ADD(OP_read, 3 + below(9), 0, 5);
	nested++;
	for (int i = 0; i < 12; i++)
		choose(0);
	ADD(ANY(OP_unshare, OP_filter_nothing, OP_deep_library, OP_login_tty, OP_ignore,
		OP_action_of, OP_ring),
	    ANY(0, CLONE_FILES, 1, 2, 3, 4, 5, 6, 7), SIGUSR1);
	nested--;
	choose_block(12, 100);
	known = before;
}

static void choose_vfork(void)
{
	ADD(OP_in_vfork, 0);
	choose_plain_block(1 + (int)below(5), 1);
}

static void choose_start(void)
{
	switch (below(3)) {
	case 0:
		ADD(OP_start, 0, below(11));
		break;
	case 1:
		ADD(OP_start, 1, below(11));
		break;
	default:
		ADD(OP_spawn, below(2), percent(70) ? a_number() : -1, below(44),
		    percent(30) ? a_number() : -1);
	}
	choose_block(1 + (int)below(6), 20);
}

static void choose_shell(void)
{
	if (percent(70)) {
		ADD(OP_fail_to_start, below(5));
		return;
	}
	ADD(OP_by_shell, below(4));
	choose_block(1 + (int)below(6), 0);
}

static void choose_daemon(void)
{
	ADD(OP_in_daemon, 1, below(2));
	choose_block(1 + (int)below(6), 0);
}

/* The receiver has the numbers GIVEN and GIVEN + 1, and files that it opened before. */
static void choose_helper(void)
{
	struct numbers before = known;
	int a = a_number(), b = percent(40) ? a_number() : -1;

	ADD(OP_in_helper, below(3), a, b);
	known.count = 0;
	learn(3);
	learn(GIVEN + 1);
	learn(GIVEN);
	choose_block(1 + (int)below(8), 20);
	known = before;
	ADD(OP_lseek, a, 0, SEEK_CUR);
}

static void choose_send(void)
{
	if (are_enough_open())
		return;
	if (percent(60)) {
		ADD(OP_send_to_self, below(3), a_number());
	} else {
		ADD(OP_from_child, a_number());
		choose_block(1 + (int)below(6), 0);
	}
	expect_new();
}

static void choose_thread(void)
{
	ADD(OP_in_thread, MOSTLY(1, 0, 2, 3));
	choose_plain_block(1 + (int)below(3), 0);
}

static void choose_handler(void)
{
	ADD(OP_in_handler, 0);
	choose_plain_block(1 + (int)below(3), 0);
}

/* A write that meets the limit, and what a handler does just then. */
static void choose_interrupted(void)
{
	int fd = a_number();
	long limit = 1000 + below(3000);

	ADD(OP_at_limit, percent(30) ? 1 + below(4) : 0);
	choose_plain_block(1 + (int)below(3), 1);
	ADD(OP_limit, limit);
	ADD(OP_lseek, fd, limit + (percent(60) ? 0 : -below(200)), SEEK_SET);
	if (percent(70))
		ADD(OP_write, fd, 0, 300, a_seed());
	else
		ADD(OP_writev, fd, 2, 250, 50, 0, 0, 0, 0, a_seed());
	if (percent(50))
		ADD(OP_write, fd, 0, 30, a_seed());
	ADD(OP_lseek, fd, 0, SEEK_CUR);
	ADD(OP_limit, -1);
}

static void choose_action(void)
{
	/* Inside of a write of libc's, it would say how libc goes about being cancelled. */
	if (plain < 2 && percent(50))
		ADD(OP_cancel_type, below(2));
	else
		ADD(OP_action_of, ANY(0, 1, 3), SIGUSR1);
}

static void choose_offsets(void)
{
	int fd = a_number();

	ADD(OP_lseek, fd, below(3000), SEEK_SET);
	ADD(OP_in_child, 0);
	ADD(OP_end, 0);
	ADD(OP_lseek, fd, 0, SEEK_CUR);
}

#endif
