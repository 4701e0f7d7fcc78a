/* SPDX-License-Identifier: MIT */
#include "spawn.h"

static int spawn(pid_t *pid, const posix_spawn_file_actions_t *actions, char **argv)
{
	char folder[PATH_MAX], *slash = strrchr(strcpy(folder, row_program), '/');

	*slash = 0;
	setenv("PATH", folder, 1);
	return posix_spawnp(pid, slash + 1, actions, NULL, argv, environ);
}

static int spawn_nothing(pid_t *pid, char **argv)
{
	return posix_spawnp(pid, "no-such-program", NULL, NULL, argv, environ);
}
