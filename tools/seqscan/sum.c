/* SPDX-License-Identifier: MIT */
/* Medians, and intervals that hold whatever the distribution is. */
#include "seqscan.h"
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * The interval of the sign test: each value lies below the true median with probability 1/2, so the k-th
 * smallest and the k-th largest enclose it unless fewer than k of n fell on one side.  k: the largest
 * where that has at most 5 % on either side.
 */
static int sign_rank(int n)
{
	double p = 1, below = 0;
	int k;

	for (int i = 0; i < n; i++)
		p /= 2;
	for (k = 0; below + p <= 0.05; k++) {
		below += p;
		p *= (double)(n - k) / (k + 1);
	}
	return k ? k : 1;
}

struct interval interval_of(double *v, int n)
{
	int k = sign_rank(n);

	qsort(v, (size_t)n, sizeof(*v), by_value);
	return (struct interval){
		.median = (v[(n - 1) / 2] + v[n / 2]) / 2,
		.low = v[k - 1],
		.high = v[n - k],
	};
}
