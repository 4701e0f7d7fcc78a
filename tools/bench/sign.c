/* SPDX-License-Identifier: MIT */
/* The interval of a median, by the sign test. */
#include "sign.h"
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * The interval of the sign test: whatever the distribution, each value lies below the true
 * median with probability 1/2, so the k-th smallest and the k-th largest enclose it unless
 * fewer than k of n fell on one side.  k: the largest where that has at most 5 % on either
 * side.
 */
static int sign_rank(int n)
{
	double p = 1, below = 0;
	int k;

	for (int i = 0; i < n; i++)
		p /= 2; /* that none of them lies below */
	for (k = 0; below + p <= 0.05; k++) {
		below += p;
		p *= (double)(n - k) / (k + 1);
	}
	return k ? k : 1;
}

struct interval interval_of(const double *v, int n)
{
	double sorted[MAX_ROUNDS];
	int k = sign_rank(n);

	memcpy(sorted, v, (size_t)n * sizeof(*v));
	qsort(sorted, (size_t)n, sizeof(*v), by_value);
	return (struct interval){
		.median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2,
		.low = sorted[k - 1],
		.high = sorted[n - k],
	};
}
