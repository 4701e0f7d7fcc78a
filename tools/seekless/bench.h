// SPDX-License-Identifier: MIT
/* What the files of `seekless bench` share. */
#ifndef SEEKLESS_BENCH_H
#define SEEKLESS_BENCH_H

#include <stdbool.h>

#define SECONDS 9.5	  /* of all slices together, if each gets a processor at once */
#define MOST_SECONDS 12.0 /* no further round is begun after these */
enum { ROUNDS = 45, LEAST_ROUNDS = 9, MOST_THREADS = 4, PIECE = 512 };

/* What is measured: a call that does nothing, lseek and read, lseek to the end and back. */
enum kind { NOTHING, PAIR, SIZE };

struct row {
	enum kind kind;
	int threads;
	bool is_shared; /* do they share one descriptor, and take a lock around its use? */
};
extern const struct row rows[];
extern const int row_count;

/* How: as programs do it, bare and with the library; by the one call that does the same. */
enum way { NATIVE, LIBRARY, DIRECT, WAYS };

/* An order to a worker; it answers with nanoseconds of processor time for each operation, or FAILED. */
struct order {
	int row;
	bool is_direct;
	int processor;
	double seconds; /* how long */
};
#define FAILED -1.0

/*
 * The worker, `seekless bench --worker FOLDER`: orders from standard input, answers to standard output;
 * before the first, 1 if the library keeps its offsets, else 0.
 */
int bench_worker(const char *folder);

/* Median of the rounds, and the half of them in the middle. */
struct middle {
	double median, low, high;
};

struct bench {
	const char *folder, *library; /* library: NULL if there is none */
	bool is_kept;		      /* does it keep the offsets of files in this folder? */
	int rounds;		      /* that there was time for */
	double taken[16][WAYS][ROUNDS];
};

bool row_has(const struct bench *bench, int row, enum way way);
void bench_print(const struct bench *bench);
void bench_print_json(const struct bench *bench);

#endif
