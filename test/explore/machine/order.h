/* SPDX-License-Identifier: MIT */
/* order.h - the steps of one run, and which of them depend on which. */
#ifndef EXPLORE_ORDER_H
#define EXPLORE_ORDER_H

#include "explore.h"

struct event {
	int code, number;   /* of its thread's events, from 1 */
	int clock[THREADS]; /* the last event of each thread that it comes after */
	uint64_t touches;   /* a hash of the addresses: no bit in common, no conflict */
	int n;
	struct access access[ACCESSES];
};
extern struct moment {
	uint32_t enabled, todo, done, asleep; /* bits: codes */
	struct event event;		      /* what was chosen last */
} moments[STEPS];

#define BIT(code) (1U << (code))

bool conflict(const struct access *a, int n, const struct access *b, int m);
uint64_t touches(const struct access *a, int n);
/* The step at `at` has been done: its place among the others, and what is to be tried because of it. */
void order(int at);
extern int last_events[THREADS]; /* -1: none */

#endif
