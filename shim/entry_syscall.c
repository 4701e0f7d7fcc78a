/* SPDX-License-Identifier: MIT */
/*
 * Floor 5, entry points: syscall(), which 186 of 2327 programs of a Debian system import.  A number
 * that has a wrapper goes there, and what the wrapper calls is the system call itself (tls.by_syscall).
 * The symbol itself is in vfork.S.
 */
#include "process.h"
#include "real.h"
#include "report.h"
#include <linux/openat2.h>
#include <linux/sched.h>
#include <string.h>

static long opened(long nr, const long *a)
{
	struct gate_seen seen = gate_seen();
	long fd = real_syscall(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
	int flags = 0;

	switch (nr) {
#ifdef SYS_open
	case SYS_open:
		flags = (int)a[1];
		break;
#endif
	case SYS_openat:
	case SYS_open_by_handle_at:
		flags = (int)a[2];
		break;
	case NR_openat2: /* known to be readable, if the call succeeded */
		flags = fd >= 0 ? (int)((const struct open_how *)a[2])->flags : 0;
		break;
	case SYS_memfd_create:
		flags = a[1] & MFD_CLOEXEC ? O_CLOEXEC : 0;
		break;
	}
	fdtab_born((int)fd, flags, seen);
	return fd;
}

/* fork and clone without a stack of its own: the child comes back here, in its own memory. */
static long forked(long nr, const long *a)
{
	long r;

	process_fork_begin(R_fork);
	r = real_syscall(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (r)
		process_fork_end();
	else
		process_in_child();
	return r;
}

/* The raw call has the kernel's own layout. */
static long signal_action(long nr, const long *a)
{
	struct {
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		unsigned long mask;
	} *old = (void *)a[2];
	long r = real_syscall(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
	struct sigaction seen;

	if (r || !report_is_ours((int)a[0]))
		return r;
	if (old && (void *)old->handler == (void *)report_handler) {
		seen.sa_handler = old->handler;
		report_hide(&seen);
		old->handler = seen.sa_handler;
		old->flags = (unsigned)seen.sa_flags;
		old->restorer = seen.sa_restorer;
		old->mask = seen.sa_mask.__val[0];
	}
	if (a[1])
		report_adopt((int)a[0]);
	return r;
}

/* Processes, and descriptors on their way to them. */
static long dispatch_process(long nr, const long *a)
{
	switch (nr) {
	case SYS_sendmsg:
		return sendmsg((int)a[0], (const struct msghdr *)a[1], (int)a[2]);
	case SYS_sendmmsg:
		return sendmmsg((int)a[0], (struct mmsghdr *)a[1], (unsigned)a[2], (int)a[3]);
	case SYS_execve:
		return execve((const char *)a[0], (char *const *)a[1], (char *const *)a[2]);
	case SYS_execveat:
		return execveat((int)a[0], (const char *)a[1], (char *const *)a[2],
				(char *const *)a[3], (int)a[4]);
	case NR_pidfd_getfd:
		return pidfd_getfd((int)a[0], (int)a[1], (unsigned)a[2]);
	case SYS_unshare:
		return unshare((int)a[0]);
#ifdef SYS_fork
	case SYS_fork:
#endif
	case SYS_clone:
	case SYS_clone3:
		return forked(nr, a);
	case SYS_rt_sigaction:
		return signal_action(nr, a);
	case SYS_exit_group:
		_exit((int)a[0]);
	case NR_io_uring_setup:
		fdtab_retire(R_uring);
		return real_syscall(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
	default: /* SYS_prctl, SYS_seccomp */
		if (nr != SYS_prctl || a[0] == PR_SET_SECCOMP) {
			fdtab_retire(R_seccomp);
			report_at_end();
		}
		if (nr == SYS_prctl && a[0] == PR_SET_TSC)
			hot.ahead = 0; /* as prctl() */
		return real_syscall(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
	}
}

/* Births, deaths and changes of numbers. */
static long dispatch_number(long nr, const long *a)
{
	int fd = (int)a[0];

	switch (nr) {
	case SYS_close:
		return close(fd);
	case NR_close_range:
		return close_range((unsigned)a[0], (unsigned)a[1], (int)a[2]);
	case SYS_dup:
		return dup(fd);
#ifdef SYS_dup2
	case SYS_dup2:
		return dup2(fd, (int)a[1]);
#endif
	case SYS_dup3:
		return dup3(fd, (int)a[1], (int)a[2]);
#ifdef SYS_creat
	case SYS_creat:
#endif
#ifdef SYS_open
	case SYS_open:
#endif
	case SYS_openat:
	case NR_openat2:
	case SYS_open_by_handle_at:
	case SYS_memfd_create:
		return opened(nr, a);
	default:
		return dispatch_process(nr, a);
	}
}

/* Calls that use the offset. */
static long dispatch(long nr, const long *a)
{
	int fd = (int)a[0];

	switch (nr) {
	case SYS_lseek:
		return lseek(fd, a[1], (int)a[2]);
	case SYS_read:
		return read(fd, (void *)a[1], (size_t)a[2]);
	case SYS_write:
		return write(fd, (const void *)a[1], (size_t)a[2]);
	case SYS_readv:
		return readv(fd, (const struct iovec *)a[1], (int)a[2]);
	case SYS_writev:
		return writev(fd, (const struct iovec *)a[1], (int)a[2]);
	case SYS_preadv2: /* the high half of the offset is ignored where long has 64 bits */
		return preadv2(fd, (const struct iovec *)a[1], (int)a[2], a[3], (int)a[5]);
	case SYS_pwritev2:
		return pwritev2(fd, (const struct iovec *)a[1], (int)a[2], a[3], (int)a[5]);
	case SYS_sendfile:
		return sendfile(fd, (int)a[1], (off_t *)a[2], (size_t)a[3]);
	case SYS_splice:
		return splice(fd, (off64_t *)a[1], (int)a[2], (off64_t *)a[3], (size_t)a[4],
			      (unsigned)a[5]);
	case SYS_copy_file_range:
		return copy_file_range(fd, (off64_t *)a[1], (int)a[2], (off64_t *)a[3],
				       (size_t)a[4], (unsigned)a[5]);
	case SYS_fcntl:
		return fcntl(fd, (int)a[1], a[2]);
	case SYS_ioctl:
		return ioctl(fd, (unsigned long)a[1], a[2]);
	default:
		return dispatch_number(nr, a);
	}
}

static bool has_wrapper(long nr)
{
	switch (nr) {
	/* clang-format off */
	case SYS_lseek: case SYS_read: case SYS_write: case SYS_readv: case SYS_writev:
	case SYS_preadv2: case SYS_pwritev2: case SYS_sendfile: case SYS_splice:
	case SYS_copy_file_range: case SYS_fcntl: case SYS_ioctl: case SYS_close:
	case NR_close_range: case SYS_dup: case SYS_dup3: case SYS_openat: case NR_openat2:
	case SYS_open_by_handle_at: case SYS_memfd_create: case SYS_sendmsg: case SYS_sendmmsg:
	case SYS_execve: case SYS_execveat: case NR_pidfd_getfd: case SYS_unshare: case SYS_clone:
	case SYS_clone3: case SYS_rt_sigaction: case SYS_prctl: case SYS_seccomp:
	case SYS_exit_group:
	/* clang-format on */
	case NR_io_uring_setup:
#ifdef SYS_open
	case SYS_open:
	case SYS_creat:
	case SYS_dup2:
	case SYS_fork:
#endif
		return true;
	default:
		return false;
	}
}

/* Also where descriptors are no longer followed, the signal's action is hidden, and an end reported. */
static bool is_ours_for_ever(long nr)
{
	return nr == SYS_rt_sigaction || nr == SYS_exit_group || nr == SYS_prctl ||
	       nr == SYS_seccomp;
}

/* Reached from vfork.S; libc's syscall has no more than six arguments either. */
long syscall_in_c(long nr, long a, long b, long c, long d, long e, long f)
	__attribute__((visibility("hidden")));
long syscall_in_c(long nr, long a, long b, long c, long d, long e, long f)
{
	const long args[] = {a, b, c, d, e, f};
	bool before = tls.by_syscall;
	long r;

	if (!has_wrapper(nr) || (!hot.size && !is_ours_for_ever(nr)))
		return real_syscall(nr, a, b, c, d, e, f);
	tls.by_syscall = true;
	r = dispatch(nr, args);
	tls.by_syscall = before;
	return r;
}

/*
 * Asked by vfork.S: may the call come back to a frame of ours?  A child on a stack of its own would
 * not find it, and a vfork child would spoil it; then the process is no longer followed.
 */
int syscall_may_return_here(long nr, unsigned long a, unsigned long b)
	__attribute__((visibility("hidden")));
int syscall_may_return_here(long nr, unsigned long a, unsigned long b)
{
	struct clone_args args = {0};
	unsigned long flags = a, stack = b;

	if (!hot.size)
		return 0;
	if (nr == SYS_clone3) {
		size_t n = b < sizeof(args) ? b : sizeof(args);

		if (!ground_peek(&args, (const void *)a, n))
			return 1; /* the kernel will say EFAULT, or we cannot tell: as a fork */
		flags = args.flags;
		stack = args.stack;
	} else if (nr != SYS_clone) {
		flags = CLONE_VM | CLONE_VFORK;
	}
	if (process_clone_kind(flags) == CLONE_A_THREAD)
		return 0;
	if (process_clone_kind(flags) == CLONE_A_FORK && !stack)
		return 1;
	fdtab_retire(R_rawclone);
	return 0;
}
