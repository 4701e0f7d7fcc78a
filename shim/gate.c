/* SPDX-License-Identifier: MIT */
/* Floor 2, state: the gate, opened and shut. */
#include "gate.h"

void gate_fork_begin(void)
{
	hot_add(&hot.forks_open, 1);
	hot_add(&hot.forks, 1);
	hot_add(&hot.paused, 1);
}
void gate_fork_end(void)
{
	hot_add(&hot.forks, 1);
	hot_add(&hot.forks_open, -1);
	hot_add(&hot.paused, -1);
}
void gate_spawn_begin(void)
{
	hot_add(&hot.spawns_open, 1);
	hot_add(&hot.spawns, 1);
}
void gate_spawn_end(void)
{
	hot_add(&hot.spawns, 1);
	hot_add(&hot.spawns_open, -1);
}
void gate_reset_in_child(void)
{
	hot.forks_open = hot.spawns_open = hot.paused = 0;
}
