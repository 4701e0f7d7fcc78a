/* SPDX-License-Identifier: MIT */
/* calls.h - what the program calls, and the history that it makes. */
#ifndef EXPLORE_CALLS_H
#define EXPLORE_CALLS_H

#include "explore.h"

/*
 * A and, in some starts, B are one description; C is another one of the same file.  LAST is not the
 * library's: the file is read through it in the end.
 */
enum { A = FIRST_FD, B, C, LAST = FIRST_FD + M_NUMBERS - 1, N = 2 };

/* Each thread's calls have their places, so that its values do not tell who came first. */
enum { OF_THREAD = 3, OF_HANDLER = THREADS * OF_THREAD, AT_END = OF_HANDLER + OF_THREAD };
extern struct m_call history[M_CALLS];
extern int calls_of[AT_END + 1]; /* by the first place */
extern bool in_handler;
void calls_forget(void);

struct m_call *call_begin(enum m_op op, int fd, const char *name);
void call_end(struct m_call *c, long r);
void do_seek(int fd, int at, int whence);
void do_close(int fd);
void do_open(int flags);
void do_dup2(int fd, int to);
void op_run(int op);
void start_at(int start);

extern struct model model_at_start;

#endif
