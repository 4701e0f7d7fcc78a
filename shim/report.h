/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: the counters, written when a signal asks for them, and when the process ends. */
#ifndef REPORT_H
#define REPORT_H

#include "audit.h"
#include "text.h"
#include <signal.h>

void report_start(void);
void report_reset_in_child(void);

void report_note_stderr(void); /* at start: where a report may go */
void report_write(void);       /* now, in a handler */

/* ---- SEEKLESS_AT_EXIT (report_end.c); nothing happens without it ---- */

void report_end_start(void);
/* The process ends; or a filter of system calls is set, which may kill for what a report takes. */
void report_at_end(void);
/* The process may end in a way that we do not see, or may go on: then a later report replaces this one. */
void report_before_end(void);
void report_end_reset_in_child(void);
/* Every signal is blocked.  Waits until no other thread is writing, for a while. */
void report_wait(void);

/* ---- what is in it, in one form or the other; the caller flushes ---- */

void report_text(struct text *t);
void report_json(struct text *t);

const char *report_program(void); /* the last part of the name that it was started by */
/*
 * The numbers, and the files of an audit, of which most was saved, by one walk for each: below is
 * UINT64_MAX at first.  -1, NULL: no more.
 */
enum { REPORT_FDS = 5, REPORT_FILES = 32 };
int report_next_fd(uint64_t *below, uint32_t *saved);
const struct audit_file *report_next_file(uint64_t *below);
/* What a number is open on; valid until the next call, there is one writer. */
const char *report_path(int fd);

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
