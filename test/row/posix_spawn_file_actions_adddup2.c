/* SPDX-License-Identifier: MIT */
/* What a file action duplicates is shared; what is closed on exec and not named keeps its
 * offset. */
#include "row.h"
#include <spawn.h>

static void row(void)
{
	posix_spawn_file_actions_t a;
	char number[12], *args[] = {row_program, "receive", number, "104", NULL};
	int shared = held_open("a", 100, O_RDWR | O_CLOEXEC);
	int alone = held_open("b", 200, O_RDWR | O_CLOEXEC);
	pid_t pid = -1;

	GIVES(posix_spawn_file_actions_init(&a), 0);
	GIVES(posix_spawn_file_actions_adddup2(&a, shared, 50), 0);
	GIVES(posix_spawn_file_actions_adddup2(&a, -1, 51), EBADF);
	GIVES(posix_spawn_file_actions_destroy(&a), 0);
	GIVES(posix_spawn_file_actions_init(&a), 0);
	GIVES(posix_spawn_file_actions_adddup2(&a, shared, 50), 0);
	snprintf(number, sizeof number, "50");
	GIVES(posix_spawn(&pid, row_program, &a, NULL, args, environ), 0);
	ends(pid, 0);
	AT(shared, 108);
	AT(alone, 204);
	hold(alone, 300);
	posix_spawn_file_actions_destroy(&a);
}
