// SPDX-License-Identifier: MIT
/* No row of the table: a program asks for functions that its libc may not have, and does without.
 * What it finds must work. */
#include "row.h"
#include <dlfcn.h>
#include <spawn.h>
#include <stdint.h>

static void *found(const char *name)
{
	return dlsym(RTLD_DEFAULT, name);
}

static void by_fork(int fd)
{
	pid_t pid = _Fork();

	if (pid == 0) {
		receive(fd, 104);
		_exit(0);
	}
	ends(pid, 0);
	AT(fd, 108);
}

static void by_closefrom(int fd)
{
	GIVES(dup2(fd, 3000), 3000);
	errno = ROW_MARK;
	closefrom(3000);
	CHECK(errno == ROW_MARK);
	FAILS(lseek(3000, 0, SEEK_CUR), EBADF);
	CHECK(kernel_offset(3000) == -EBADF);
	AT(fd, 108);
}

static void by_pidfd(int fd, const char *name)
{
	int (*spawn)(int *, const char *, const posix_spawn_file_actions_t *,
		     const posix_spawnattr_t *, char *const[], char *const[]);
	char number[12], *args[] = {row_program, "receive", number, "108", NULL};
	siginfo_t info = {0};
	int pidfd = -1, copy;
	pid_t pid;

	*(void **)&spawn = found(name);
	if (!spawn)
		return;
	if (!posix_spawn(&pid, "/nowhere/at/all", NULL, NULL, args, environ)) {
		ends(pid, 127); /* an emulator's vfork, which tells of no failure */
		return;
	}
	CHECK(spawn(&pidfd, "/nowhere/at/all", NULL, NULL, args, environ) == ENOENT);
	hold(fd, 104);
	GIVES((copy = dup(fd)) > 0, 1);
	snprintf(number, sizeof number, "%d", copy);
	GIVES(spawn(&pidfd, row_program, NULL, NULL, args, environ), 0);
	CHECK(fcntl(pidfd, F_GETFD) == FD_CLOEXEC);
	CHECK(!waitid((idtype_t)3, (id_t)pidfd, &info, WEXITED) && info.si_code == CLD_EXITED &&
	      info.si_status == 0);
	GIVES(close(pidfd), 0);
	GIVES(close(copy), 0);
	AT(fd, 112);
}

static void *leaves(void *end)
{
	(*(void (**)(int))end)(-3);
	return NULL;
}

static void by_thread(void)
{
	void *end = found("thrd_exit"), *result;
	pthread_t t;

	if (!end)
		return;
	CHECK(!pthread_create(&t, NULL, leaves, &end) && !pthread_join(t, &result));
	CHECK((intptr_t)result == -3);
}

static void by_stat(int fd)
{
	int (*ask)(int, const char *, struct stat *, int);
	int (*askx)(int, const char *, int, unsigned, struct statx *);
	struct stat st;
	struct statx stx;

	*(void **)&ask = found("fstatat");
	*(void **)&askx = found("statx");
	if (ask) {
		GIVES(ask(fd, "", &st, AT_EMPTY_PATH), 0);
		CHECK(st.st_size == ROW_SIZE);
	}
	if (askx) {
		GIVES(askx(fd, "", AT_EMPTY_PATH, STATX_SIZE, &stx), 0);
		CHECK(stx.stx_size == ROW_SIZE);
	}
}

static void row(void)
{
	int fd = held("a", 100);

	if (_Fork)
		by_fork(fd);
	else
		hold(fd, 104);
	if (closefrom)
		by_closefrom(fd);
	by_pidfd(fd, "pidfd_spawn");
	by_pidfd(fd, "pidfd_spawnp");
	by_thread();
	by_stat(fd);
}
