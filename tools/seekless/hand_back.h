// SPDX-License-Identifier: MIT
/*
 * Every offset that the library holds in a process, brought to the kernel from outside, while all its
 * threads stand still.  That is what a signal handler of the process could do in that instant: it
 * forbids to take offsets from now on, brings each that is held to the kernel, and changes the words, so
 * that whoever was at work on one begins again, as he does when another thread comes in between.
 *
 * The explorer (test/explore) tries it at each step of the library's.
 */
#ifndef SEEKLESS_HAND_BACK_H
#define SEEKLESS_HAND_BACK_H

#include "process.h"

struct handing {
	unsigned handed; /* descriptions brought to the kernel */
	unsigned
		n_held; /* numbers at which a thread was just at work, or that the kernel refused: try again */
	struct held {
		int fd;
		bool refused;
	} held[8]; /* the first of them */
};

/* Makes the kernel's offset of the process's number `fd` that one. */
typedef bool bring_fn(const void *context, int fd, int64_t offset);

/* Adds to *h, which is to begin with zeros.  False: the process's memory cannot be read or written. */
bool hand_back_all(const struct process *p, bring_fn *bring, const void *context,
		   struct handing *h);

#endif
