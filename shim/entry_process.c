/* SPDX-License-Identifier: MIT */
/* Floor 5, entry points: processes, and descriptors on their way to other processes. */
#include "config.h"
#include "image.h"
#include "process.h"
#include "real.h"
#include "report.h"
#include "stream.h"

_Static_assert(offsetof(struct tls, vfork_depth) == 20, "VFORK_DEPTH in vfork.S");

static pid_t forked(pid_t pid)
{
	if (pid)
		process_fork_end();
	else
		process_in_child();
	return pid;
}

EXPORT pid_t fork(void)
{
	process_fork_begin(R_fork);
	return forked(PASS(fork)());
}
ALIAS_OF(__fork, fork);

EXPORT pid_t _Fork(void)
{
	process_fork_begin(R_fork);
	return forked(PASS(_Fork)());
}

EXPORT int forkpty(int *master, char *name, const struct termios *term, const struct winsize *win)
{
	process_fork_begin(R_fork);
	return forked(PASS(forkpty)(master, name, term, win));
}

/* Ends without libc's handlers of exit. */
EXPORT void _exit(int status)
{
	report_at_end();
	image_end();
	(unlikely(tls.by_syscall) ? boot__exit : real__exit)(status);
	__builtin_unreachable();
}
ALIAS_OF(_Exit, _exit);

/* Comes back in the child, and the parent ends inside of it; a failure may come back on either side. */
EXPORT int daemon(int nochdir, int noclose)
{
	long before;
	int r;

	if (!hot.size && !config.at_exit)
		return PASS(daemon)(nochdir, noclose);
	before = RAW0(SYS_getpid);
	process_fork_begin(R_fork);
	report_before_end();
	r = PASS(daemon)(nochdir, noclose);
	forked(RAW0(SYS_getpid) == before);
	return r;
}

/* It closes the number at its end, unless it fails before. */
EXPORT int login_tty(int fd)
{
	uintptr_t ticket = 0;
	int r;

	fd_hand_back(fd, R_stream, true);
	if (fd > 2 && fd_is_tracked(fd) && !tls.vfork_depth)
		fdtab_close_begin(fd, &ticket);
	r = PASS(login_tty)(fd);
	if (ticket && r)
		fdtab_close_undo(fd, ticket);
	else if (ticket)
		fdtab_close_end(fd, ticket);
	return r;
}

/* ---- clone ---- */

struct start {
	int (*fn)(void *);
	void *arg;
};
static int start_in_child(void *p)
{
	struct start s = *(struct start *)p;

	process_in_child();
	return s.fn(s.arg);
}

EXPORT int clone(int (*fn)(void *), void *stack, int flags, void *arg, ...)
{
	enum clone_kind kind = process_clone_kind((unsigned)flags);
	struct start s = {fn, arg};
	void *ptid, *tp, *ctid;
	va_list ap;
	int r;

	va_start(ap, arg);
	ptid = va_arg(ap, void *);
	tp = va_arg(ap, void *);
	ctid = va_arg(ap, void *);
	va_end(ap);
	if (kind == CLONE_OTHER)
		fdtab_retire(R_rawclone);
	/* The last two: EINVAL. */
	if (kind == CLONE_OTHER || kind == CLONE_A_THREAD || !fn || !stack)
		return PASS(clone)(fn, stack, flags, arg, ptid, tp, ctid);
	if (kind == CLONE_A_VFORK) {
		int depth = process_vfork_begin();

		tls.vfork_depth++; /* the child's too: it runs with our thread data */
		r = PASS(clone)(fn, stack, flags, arg, ptid, tp, ctid);
		process_vfork_end(0, depth);
		return r;
	}
	process_fork_begin(R_fork);
	r = PASS(clone)(start_in_child, stack, flags, &s, ptid, tp, ctid);
	process_fork_end();
	return r;
}
ALIAS_OF(__clone, clone);

EXPORT int unshare(int flags)
{
	if (flags & CLONE_FILES)
		fdtab_retire(R_unshare);
	return PASS(unshare)(flags);
}

/* A filter may refuse the positioned calls, or kill for them. */
EXPORT int prctl(int option, ...)
{
	unsigned long a, b, c, d;
	va_list ap;

	va_start(ap, option);
	a = va_arg(ap, unsigned long);
	b = va_arg(ap, unsigned long);
	c = va_arg(ap, unsigned long);
	d = va_arg(ap, unsigned long);
	va_end(ap);
	if (option == PR_SET_SECCOMP) {
		fdtab_retire(R_seccomp);
		report_at_end();
	}
	if (option == PR_SET_TSC)
		hot.ahead = 0; /* it reads the clock that is to be forbidden */
	return real_prctl(option, a, b, c, d);
}

/* ---- programs started by libc ---- */

/*
 * File actions may duplicate what is close-on-exec into the new program.  What they name is learnt
 * here, by number: the number may have got another file before the program is started.
 */
static uint64_t duplicated[16];

EXPORT int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int fd, int to)
{
	if (fd >= 0 && fd < 1024)
		__atomic_or_fetch(&duplicated[fd / 64], 1UL << fd % 64, __ATOMIC_RELAXED);
	return real_posix_spawn_file_actions_adddup2(actions, fd, to);
}

static bool may_be_duplicated(int fd)
{
	return fd >= 1024 || __atomic_load_n(&duplicated[fd / 64], __ATOMIC_RELAXED) >> fd % 64 & 1;
}

static void spawn_begin(const posix_spawn_file_actions_t *actions)
{
	process_spawn_begin();
	for (int fd = 0; actions && fd < (int)hot.high; fd++)
		if (fd_is_tracked(fd) && may_be_duplicated(fd))
			fd_hand_back(fd, R_spawn, true);
}

EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
		       const posix_spawnattr_t *attr, char *const argv[], char *const envp[])
{
	int r;

	spawn_begin(actions);
	r = PASS(posix_spawn)(pid, path, actions, attr, argv, envp);
	process_spawn_end();
	return r;
}

EXPORT int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attr, char *const argv[], char *const envp[])
{
	int r;

	spawn_begin(actions);
	r = PASS(posix_spawnp)(pid, file, actions, attr, argv, envp);
	process_spawn_end();
	return r;
}

EXPORT int pidfd_spawn(int *pidfd, const char *path, const posix_spawn_file_actions_t *actions,
		       const posix_spawnattr_t *attr, char *const argv[], char *const envp[])
{
	int r;

	spawn_begin(actions);
	r = PASS(pidfd_spawn)(pidfd, path, actions, attr, argv, envp);
	process_spawn_end();
	return r;
}

EXPORT int pidfd_spawnp(int *pidfd, const char *file, const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attr, char *const argv[], char *const envp[])
{
	int r;

	spawn_begin(actions);
	r = PASS(pidfd_spawnp)(pidfd, file, actions, attr, argv, envp);
	process_spawn_end();
	return r;
}

EXPORT int system(const char *command)
{
	int r;

	process_spawn_begin();
	r = PASS(system)(command);
	process_spawn_end();
	return r;
}

EXPORT FILE *popen(const char *command, const char *mode)
{
	FILE *f;

	process_spawn_begin();
	f = PASS(popen)(command, mode);
	process_spawn_end();
	return stream_opened(f);
}
ALIAS_OF(_IO_popen, popen);

EXPORT int wordexp(const char *words, wordexp_t *we, int flags)
{
	int r;

	process_spawn_begin();
	r = PASS(wordexp)(words, we, flags);
	process_spawn_end();
	return r;
}
