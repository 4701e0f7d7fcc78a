/* SPDX-License-Identifier: MIT */
/* posix_spawn and posix_spawnp: what a started program finds, with and without file actions. */
#include "row.h"
#include <spawn.h>

static int spawn(pid_t *pid, const posix_spawn_file_actions_t *actions, char **argv);
static int spawn_nothing(pid_t *pid, char **argv);

static char number[12], *args[] = {row_program, "receive", number, "104", NULL};

static void starts(const posix_spawn_file_actions_t *actions, int fd)
{
	pid_t pid = -1;

	snprintf(number, sizeof number, "%d", fd);
	GIVES(spawn(&pid, actions, args), 0);
	ends(pid, 0);
}

static void row(void)
{
	posix_spawn_file_actions_t to_300, chain, same, opens;
	char b[4];
	int fd = held("a", 100), ce, other, st;
	pid_t pid = -1;

	/* failed: as if nothing had been */
	CHECK(spawn_nothing(&pid, args) == ENOENT);
	AT(fd, 104);
	GIVES(lseek(fd, -4, SEEK_CUR), 100);
	GIVES(read(fd, b, 4), 4);
	CHECK(has(b, 100, 4));
	starts(NULL, fd); /* inherited; the child reads 4 bytes, and so have we */
	AT(fd, 108);

	/* close-on-exec, but duplicated by an action; others like it stay alone */
	ce = held_open("b", 100, O_RDWR | O_CLOEXEC);
	other = held_open("c", 200, O_RDWR | O_CLOEXEC);
	CHECK(!posix_spawn_file_actions_init(&to_300) &&
	      !posix_spawn_file_actions_adddup2(&to_300, ce, 300));
	starts(&to_300, 300);
	AT(ce, 108);
	AT(other, 204);

	/* the same actions again, when the number is another file's */
	GIVES(close(ce), 0);
	CHECK(held_open("d", 100, O_RDWR | O_CLOEXEC) == ce);
	starts(&to_300, 300);
	AT(ce, 108);

	/* a duplicate of a duplicate; the first closed again */
	ce = held_open("b", 100, O_RDWR | O_CLOEXEC);
	CHECK(!posix_spawn_file_actions_init(&chain) &&
	      !posix_spawn_file_actions_adddup2(&chain, ce, 400));
	CHECK(!posix_spawn_file_actions_adddup2(&chain, 400, 401) &&
	      !posix_spawn_file_actions_addclose(&chain, 400));
	starts(&chain, 401);
	AT(ce, 108);

	/* onto itself: only clears close-on-exec */
	ce = held_open("b", 100, O_RDWR | O_CLOEXEC);
	CHECK(!posix_spawn_file_actions_init(&same) &&
	      !posix_spawn_file_actions_adddup2(&same, ce, ce));
	starts(&same, ce);
	AT(ce, 108);
	GIVES(fcntl(ce, F_GETFD), FD_CLOEXEC);

	/* over a held number: our own is not touched */
	fd = held("e", 2000);
	CHECK(!posix_spawn_file_actions_init(&opens));
	CHECK(!posix_spawn_file_actions_addopen(&opens, fd, "/dev/null", O_RDONLY, 0));
	CHECK(!posix_spawn_file_actions_addclose(&opens, other));
	args[1] = "closed";
	args[3] = NULL;
	starts(&opens, other);
	AT(fd, 2004);
	AT(other, 204);

	/* an action that fails: the child says so, we go on */
	CHECK(!posix_spawn_file_actions_adddup2(&opens, 999, 5));
	st = spawn(&pid, &opens, args);
	CHECK(st == EBADF);
	fd = held("f", 300);
	AT(fd, 304);
	CHECK(!posix_spawn_file_actions_destroy(&opens));
	CHECK(!posix_spawn_file_actions_destroy(&to_300) &&
	      !posix_spawn_file_actions_destroy(&chain));
	child_receives(fd, 304);
}
