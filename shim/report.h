/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: the counters, written when a signal asks for them. */
#ifndef REPORT_H
#define REPORT_H

#include "ground.h"
#include <signal.h>

void report_start(void);
void report_reset_in_child(void);

void report_note_stderr(void); /* at start: where a report may go */
void report_write(void);       /* now, in a handler */

/*
 * The signal's action as the program sees it.  Until it sets one itself it sees the one at start;
 * then the signal is the program's for good, unless the user named the signal: then both run.
 */
bool report_is_ours(int sig);		  /* the signal that asks for the report */
void report_hide(struct sigaction *seen); /* where it is ours, the program's own takes its place */
/* The program has set one: where both run, ours goes in front of it. */
void report_adopt(int sig);
/* Ours is not in the kernel any more, the program's own is. */
void report_step_aside(int sig);
void report_handler(int sig, siginfo_t *info, void *context);

#endif
