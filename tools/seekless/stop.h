// SPDX-License-Identifier: MIT
/*
 * Every thread of a process, stopped for an instant (ptrace(2)).  In a child made for it: a thread that
 * has been told to stop and has not can be let go only by the end of who told it.  Then the kernel lets
 * them all run on.
 */
#ifndef SEEKLESS_STOP_H
#define SEEKLESS_STOP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct stopped_thread {
	pid_t tid;
	bool stops; /* else it has only been told to */
	int signal; /* that it was about to get; it gets it when it runs on */
};
struct stopped {
	struct stopped_thread *threads;
	size_t n;
};

enum stop {
	ALL_STOPPED,
	ONE_RUNS_ON,	/* *culprit does not stop: it waits for a vfork child, or for a device */
	STOP_FORBIDDEN, /* by errno; *culprit */
	ALL_GONE,
};
/* Tries for some milliseconds. */
enum stop stop_all(pid_t pid, struct stopped *s, pid_t *culprit);
/* The end of our process is to follow. */
void stop_end(struct stopped *s);

#endif
