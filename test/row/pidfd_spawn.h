/* SPDX-License-Identifier: MIT */
/* pidfd_spawn and pidfd_spawnp, of glibc 2.39 and later.  SPAWN is the name. */
#include "row.h"
#include <dlfcn.h>
#include <spawn.h>

static void row(void)
{
	int (*spawn)(int *, const char *, const posix_spawn_file_actions_t *,
		     const posix_spawnattr_t *, char *const[], char *const[]);
	posix_spawn_file_actions_t acts;
	char *args[] = {row_program, "receive", "300", "104", NULL};
	int fd = held_open("a", 100, O_RDWR | O_CLOEXEC), pidfd = -1;
	siginfo_t info = {0};

	*(void **)&spawn = dlsym(RTLD_DEFAULT, SPAWN);
	*(void **)&spawn =
		spawn && dlvsym(RTLD_NEXT, SPAWN, "GLIBC_2.39") ? (void *)spawn : NULL;
	if (!spawn)
		SKIP("this libc has no " SPAWN);
	CHECK(spawn(&pidfd, "/nowhere/at/all", NULL, NULL, args, environ) == ENOENT);
	AT(fd, 104);
	CHECK(!posix_spawn_file_actions_init(&acts) &&
	      !posix_spawn_file_actions_adddup2(&acts, fd, 300));
	GIVES(spawn(&pidfd, row_program, &acts, NULL, args, environ), 0);
	CHECK(!waitid((idtype_t)3, (id_t)pidfd, &info, WEXITED) && info.si_code == CLD_EXITED &&
	      info.si_status == 0);
	AT(fd, 108);
	child_receives(fd, 108);
}
