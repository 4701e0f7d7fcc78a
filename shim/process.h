/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: what happens to offsets around the making of processes. */
#ifndef PROCESS_H
#define PROCESS_H

#include "fdtab.h"

/* Around a fork of any kind: what is alive is handed back and let go, on both sides. */
void process_fork_begin(enum reason why);
void process_fork_end(void);
void process_in_child(void);

/* Around a call of libc that starts a program and does nothing else in the child. */
void process_spawn_begin(void);
void process_spawn_end(void);

/* Around an exec, which may fail and come back. */
void process_exec_begin(void);
void process_exec_end(void);

/*
 * What clone makes.  Memory or descriptors shared in part, or thread data apart: not to be followed.
 */
enum clone_kind { CLONE_A_FORK, CLONE_A_VFORK, CLONE_A_THREAD, CLONE_OTHER };
enum clone_kind process_clone_kind(unsigned long flags);

/* Called by vfork.S. */
int process_vfork_begin(void);		    /* the depth to restore */
int process_vfork_end(long pid, int depth); /* in the parent; libc's result */

#endif
