/* SPDX-License-Identifier: MIT */
/*
 * Floor 2, state: the gate, which is open while a process is being made.  What is born meanwhile
 * may be shared with that process: it is let go at birth.  Doors: gate_seen before the real call
 * that makes a number, gate_was_open after it; begin and end around the making of a process.
 */
#ifndef GATE_H
#define GATE_H

#include "hot.h"

struct gate_seen {
	uint32_t forks, spawns;
};
HOT struct gate_seen gate_seen(void)
{
	return (struct gate_seen){hot_get(&hot.forks), hot_get(&hot.spawns)};
}
/* May a process that was made since `seen` share what was born since? */
HOT bool gate_was_open(struct gate_seen seen, bool cloexec)
{
	if (hot_get(&hot.forks_open) || hot_get(&hot.forks) != seen.forks)
		return true;
	return !cloexec && (hot_get(&hot.spawns_open) || hot_get(&hot.spawns) != seen.spawns);
}

/* Nobody may take an offset now: a process is being made, or ours is switched off. */
HOT bool gate_forbids_takes(void)
{
	return hot_get(&hot.paused) || hot_get(&hot.off);
}

void gate_fork_begin(void);
void gate_fork_end(void);
/* A spawn: the child takes only what lacks FD_CLOEXEC. */
void gate_spawn_begin(void);
void gate_spawn_end(void);
void gate_reset_in_child(void);

#endif
