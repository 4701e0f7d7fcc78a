/* SPDX-License-Identifier: MIT */
/*
 * The benchmark.  One parent (bench.c) drives long-lived workers (worker.c), one for each variant
 * of a row: the same program bare, bare once more, preloaded, and rewritten to positioned calls.
 * They work in turn, a slice of a few milliseconds each, so that all of them meet the same noise;
 * what counts is the ratio within a round.
 */
#ifndef BENCH_H
#define BENCH_H

#include "sign.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- between the parent and a worker: numbers of descriptors, and what goes over them ---- */

enum { FD_ORDERS = 3, FD_ANSWERS = 4, FD_INHERITED = 5 };
enum { FIGURES = 3 };

struct order {
	long operations; /* of the slice */
};
struct answer {
	double took;            /* ns; the parent sizes the slices by it */
	double figure[FIGURES]; /* ns per operation, or what the workload says */
};

/* ---- rows ---- */

enum variant {
	NATIVE,
	AGAIN, /* native, to see what the comparison of equals gives: A/A */
	SHIM,
	POSITIONED, /* bare, rewritten to positioned calls */
	EMPTY,      /* an empty library preloaded */
	OFF,        /* ours preloaded, SEEKLESS=off */
	UNCOUNTED,  /* ours, built without its counters */
	VARIANTS
};

enum how {
	NOTHING,
	TIMES,  /* how many times as fast as the other; target: at least */
	OVER,   /* how much more than the other; target: at most */
	ITSELF, /* without another; target: at most */
};

struct comparison {
	enum how how;
	enum variant against;
	double target; /* 0: none */
	int figure;
};

enum { COMPARISONS = 4 };

struct row {
	const char *name;
	const char *workload;
	size_t size;         /* of a transfer */
	int count;           /* of threads or descriptors */
	const char *program; /* that has to be installed */
	const char *rewrite; /* what the program does when rewritten; NULL: is not */
	bool everywhere;     /* on each file system, otherwise on the first only */
	bool full;           /* not with QUICK=1 */
	bool children;       /* the library is not for the worker but for what it spawns */
	bool starts;         /* also against an empty preload and one that is off */
	bool counts;         /* also against the library without counters */
	bool spread;         /* needs more than one processor */
	int rounds;          /* 0: as usual */
	int rounds_per_worker;
	long operations; /* per slice; 0: as many as fit in slice_ms */
	double slice_ms; /* 0: as usual */
	const char *unit;
	double per_unit; /* ns or bytes in one */
	const char *figure[FIGURES];
	struct comparison want[COMPARISONS];
};
extern const struct row rows[];
extern const size_t row_count;

/* ---- a place: a folder with the data on some file system ---- */

struct place {
	const char *system, *folder;
};
bool place_prepare(const struct place *p);

/* ---- running a row ---- */

enum { LEAST_ROUNDS = 15 };

struct slices {
	int rounds;
	bool ran[VARIANTS];
	double taken[VARIANTS][FIGURES][MAX_ROUNDS];
};

struct settings {
	bool quick;
	const char *only; /* rows whose name contains it */
	const char *worker, *library, *empty, *uncounted;
};
/* As many rounds as the row wants, or, after so many seconds, at least LEAST_ROUNDS. */
bool slices_take(const struct settings *set, const struct row *row, const struct place *p,
		 double seconds, struct slices *s);
double seconds_now(void);

/* ---- what the slices say ---- */

struct finding {
	struct interval is, aa, other, shim;
	const char *verdict; /* passes, short, open; "" without a target */
};
bool finding_of(const struct row *row, const struct comparison *c, const struct slices *s,
		struct finding *f);

/* ---- showing it ---- */

void show_head(void);
void show_finding(const struct row *row, const struct place *p, const struct comparison *c,
		  const struct finding *f, bool first);
const char *row_against(const struct row *row, enum variant v);

void json_begin(FILE *f, int argc, char **about);
void json_row(FILE *f, const struct row *row, const struct place *p, const struct slices *s);
void json_finding(FILE *f, const struct row *row, const struct comparison *c,
		  const struct finding *x);
void json_row_end(FILE *f);
void json_end(FILE *f);

#endif
