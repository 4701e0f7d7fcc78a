/* SPDX-License-Identifier: MIT */
/*
 * run.h - for the programs of test/explore.  In the environment:
 *
 *   CASES="ours,read,write,/tell ..."   these cases (with spaces or colons between): a start, each thread's operation, after a slash
 *                                       the handler's of thread 0; ~ lets one sleep end by time
 *   SCHEDULE=0011...   with one case: this interleaving, and its steps are shown
 *   FULL=1    all cases, up to MINUTES=n (30); ALL=1 without reduction; LIMIT=n interleavings of each
 *             case; VERBOSE=1 a line for each
 */
#ifndef EXPLORE_RUN_H
#define EXPLORE_RUN_H

#include "explore.h"

void run_stage(const char *name, unsigned long limit);
void run_case(const struct explored *c);
int run_all(void (*quick)(void), void (*full)(void));

#endif
