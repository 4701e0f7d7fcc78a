/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: the counters, written when a signal asks for them. */
#ifndef REPORT_H
#define REPORT_H

#include "ground.h"
#include <signal.h>

void report_start(void);
void report_reset_in_child(void);

/*
 * The signal's action as the program sees it.  Until it sets one itself it sees the default; then the
 * signal is the program's for good, unless the user named the signal: then both run.
 */
bool report_is_ours(int sig);                   /* our handler stands in the kernel */
void report_hide(struct sigaction *seen);       /* ours becomes the default */
bool report_runs_both(int sig);
void report_set_programs(const struct sigaction *new, struct sigaction *old); /* either may be NULL */
void report_handler(int sig, siginfo_t *info, void *context);

#endif
