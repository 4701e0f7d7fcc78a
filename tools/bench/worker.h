/* SPDX-License-Identifier: MIT */
/* A worker's task, and the kinds of work there are. */
#ifndef WORKER_H
#define WORKER_H

#include "bench.h"
#include <stdint.h>
#include <sys/types.h>

struct task {
	size_t size;		  /* of a transfer */
	int count;		  /* of threads or descriptors */
	const char *folder;	  /* where the data lies */
	bool positioned;	  /* do as the rewritten program would */
	const char *library, *on; /* for what it spawns */
	int fd;
	char *buffer; /* HOT_BLOCK bytes */
	uint64_t random;
	uint64_t blocks; /* of `size` in the hot file */
};

/* A loop is timed as a whole; a slice times itself. */
struct workload {
	const char *name;
	void (*prepare)(struct task *t); /* once in a process */
	void (*loop)(struct task *t, long n);
	void (*rewritten)(struct task *t, long n); /* the same with positioned calls */
	void (*slice)(struct task *t, long n, struct answer *a);
};

/* Each ends with one that has no name. */
extern const struct workload io_workloads[], pass_workloads[], open_workloads[],
	thread_workloads[], process_workloads[], fio_workloads[];

void die(const char *what) __attribute__((noreturn));
double now(void);			  /* ns */
int by_value(const void *, const void *); /* for qsort of doubles */
int open_hot(const struct task *t);	  /* to read */
int open_written(const struct task *t);	  /* to write */
void prepare_reading(struct task *t);
void prepare_writing(struct task *t);

static inline void must(bool ok, const char *what)
{
	if (__builtin_expect(!ok, 0))
		die(what);
}

/* xorshift64, then the upper half scaled: cheaper than a division by what it is to measure. */
static inline off_t random_place(uint64_t *state, const struct task *t)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (off_t)(((*state >> 32) * t->blocks) >> 32) * (off_t)t->size;
}

#endif
