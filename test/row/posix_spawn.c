/* SPDX-License-Identifier: MIT */
#include "spawn.h"

static int spawn(pid_t *pid, const posix_spawn_file_actions_t *actions, char **argv)
{
	return posix_spawn(pid, row_program, actions, NULL, argv, environ);
}

static int spawn_nothing(pid_t *pid, char **argv)
{
	return posix_spawn(pid, "/nowhere/at/all", NULL, NULL, argv, environ);
}
