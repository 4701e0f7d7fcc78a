/* SPDX-License-Identifier: MIT */
/* Medians, and intervals that hold whatever the distribution is. */
#ifndef BENCH_SIGN_H
#define BENCH_SIGN_H

enum { MAX_ROUNDS = 1000 };

struct interval {
	double median, low, high; /* the 90 % interval of the median */
};
struct interval interval_of(const double *v, int n); /* n: up to MAX_ROUNDS */

#endif
