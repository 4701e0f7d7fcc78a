/* SPDX-License-Identifier: MIT */
/*
 * Floor 1, libc: functions that older releases of libc lack.  A program that can do without them asks
 * first, by a weak reference or by dlsym, and finds ours, since we export it: so it has to work.  And
 * before glibc 2.34 some are in libraries of their own, which may be loaded later than we are.
 */
#include "missing.h"
#include <sys/resource.h>

long missing(void)
{
	errno = ENOSYS;
	return -1;
}

/* ---- glibc 2.34 ---- */

void own_closefrom(int from)
{
	unsigned first = from < 0 ? 0 : (unsigned)from;
	struct rlimit most = {0, 0};

	if (!RAW3(NR_close_range, first, ~0U, 0))
		return;
	RAW4(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &most);
	for (; first < most.rlim_max && first < 1U << 20; first++)
		RAW1(SYS_close, first);
}

/* The program's own handlers of fork run, too. */
pid_t own__Fork(void)
{
	return real_fork();
}

/* ---- glibc 2.39 ---- */

/* What may fail for want of a number is tried first: nobody could take a child back. */
static int with_pidfd(int *pidfd, __typeof__(posix_spawn) *spawn, const char *path,
		      const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
		      char *const argv[], char *const envp[])
{
	long fd = RAW2(NR_pidfd_open, RAW0(SYS_getpid), 0);
	pid_t pid;
	int r;

	if (fd < 0)
		return (int)-fd;
	r = spawn(&pid, path, actions, attr, argv, envp);
	RAW1(SYS_close, fd);
	if (r)
		return r;
	fd = RAW2(NR_pidfd_open, pid, 0);
	if (fd < 0)
		return (int)-fd;
	*pidfd = (int)fd;
	return 0;
}

int own_pidfd_spawn(int *pidfd, const char *path, const posix_spawn_file_actions_t *actions,
		    const posix_spawnattr_t *attr, char *const argv[], char *const envp[])
{
	return with_pidfd(pidfd, real_posix_spawn, path, actions, attr, argv, envp);
}
int own_pidfd_spawnp(int *pidfd, const char *file, const posix_spawn_file_actions_t *actions,
		     const posix_spawnattr_t *attr, char *const argv[], char *const envp[])
{
	return with_pidfd(pidfd, real_posix_spawnp, file, actions, attr, argv, envp);
}

/* ---- libraries that are part of libc since 2.34 ---- */

int own_shm_open(const char *name, int flags, mode_t mode)
{
	__typeof__(shm_open) *there = real_in_library("librt.so.1", "shm_open");

	return there ? there(name, flags, mode) : (int)missing();
}
int own_forkpty(int *master, char *name, const struct termios *term, const struct winsize *win)
{
	__typeof__(forkpty) *there = real_in_library("libutil.so.1", "forkpty");

	return there ? there(master, name, term, win) : (int)missing();
}
int own_login_tty(int fd)
{
	__typeof__(login_tty) *there = real_in_library("libutil.so.1", "login_tty");

	return there ? there(fd) : (int)missing();
}
/* As libpthread's own does. */
void own_thrd_exit(int result)
{
	real_pthread_exit((void *)(intptr_t)result);
	__builtin_unreachable();
}
