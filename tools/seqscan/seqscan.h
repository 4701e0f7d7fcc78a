/* SPDX-License-Identifier: MIT */
/*
 * seqscan: what reading ahead of a scan is worth.  A measurement of 2005 in our own code: a program reads a
 * file block by block, with work for the processor on each, in turns without and with help.
 *
 *   main.c    words and rounds      worker.c  the scan itself, a process of its own
 *   cache.c   cold and hot          helper.c  help of its own: in the same thread, or another
 *   ../bench/sign.c  intervals      kernel.c  does a pread disturb the kernel's own reading ahead?
 */
#ifndef SEQSCAN_H
#define SEQSCAN_H

#include "../bench/sign.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PAGE 8192L /* the unit of a database; what --cpu and --unit count in */
#define KIB 1024L
#define MIB (1024L * KIB)

enum pattern { FORWARD, BACKWARD, STRIDE, INTERLEAVED, RANDOM, PATTERNS };
enum call { READ, SEEK, PREAD, CALLS };
enum { STREAMS = 4, STRIDE_PAGES = 8, ROUNDS_MOST = 1000 };

extern const char *const pattern_names[], *const call_names[];

struct scan {
	const char *file;
	enum pattern pattern;
	enum call call;
	long unit;	 /* bytes of a read */
	long reads;	 /* as many */
	double cpu;	 /* microseconds of work for a page */
	long work;	 /* the same, in turns of a loop */
	long delay;	 /* microseconds to sleep at each read, for the selftest */
	const char *own; /* help of the worker's own: NULL, "inline" or "thread" */
	long distance;	 /* of that */
};

struct result {
	double seconds;
	uint64_t sum; /* of what was read */
	long reads, waited;
	double ready; /* share of the reads that the library says it had ready; < 0: it was not there */
};

/* worker.c */
int worker_main(char **args);
bool worker_run(const struct scan *s, const char *with, const char *library, struct result *r);
long scan_offset(const struct scan *s, long i); /* of the i-th read */
long work_per_us(void);
uint64_t work_do(long turns);

/* helper.c */
bool helper_begin(int fd, const struct scan *s);
void helper_read(int fd, const struct scan *s, long i);
void helper_end(void);

/* cache.c: resident pages, after having made it so; -1 and a word on standard error. */
long cache_evict(const char *file);
long cache_fill(const char *file);
long cache_resident(int fd, long size);

/* kernel.c */
int kernel_main(const struct scan *s, int rounds, const char *library);

double seconds_now(void);

#endif
