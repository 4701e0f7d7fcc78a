/* SPDX-License-Identifier: MIT */
/* Floor 5, entry points: deaths of numbers, and numbers that change hands. */
#include "real.h"
#include "fdtab.h"
#include <linux/close_range.h>

EXPORT int close(int fd)
{
	uintptr_t ticket;
	int r, state;

	if (!fd_is_tracked(fd) || tls.vfork_depth)
		return PASS(close)(fd);
	real_testcancel();
	r = fdtab_close_begin(fd, &ticket);
	if (r < 0)
		return (int)to_libc(r);
	HOOK("close", fd);
	if (!ticket)
		return real_close(fd);
	/* Cancelled between begin and end, the number would stay closed for us and open for others. */
	real_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	r = real_close(fd);
	fdtab_close_end(fd, ticket);
	real_setcancelstate(state, &state);
	return r;
}
ALIAS_OF(__close, close);

EXPORT int close_range(unsigned from, unsigned to, int flags)
{
	int r;

	if (flags & CLOSE_RANGE_UNSHARE)
		fdtab_retire(R_unshare);
	if (flags || from > to || tls.vfork_depth)
		return PASS(close_range)(from, to, flags);
	fdtab_forget(from, to);
	r = PASS(close_range)(from, to, flags);
	if (!r)
		fdtab_forget_closed(from, to);
	return r;
}

EXPORT void closefrom(int from)
{
	unsigned first = from < 0 ? 0 : (unsigned)from;

	if (tls.vfork_depth) {
		PASS(closefrom)(from);
		return;
	}
	fdtab_forget(first, ~0U);
	PASS(closefrom)(from);
	fdtab_forget_closed(first, ~0U);
}

/* ---- duplicates ---- */

EXPORT int dup(int fd)
{
	uintptr_t before = fd_slot(fd);
	struct gate_seen seen = gate_seen();
	int new = PASS(dup)(fd);

	if (new >= 0 && !tls.vfork_depth)
		fdtab_shared(fd, before, new, false, seen);
	return new;
}

/* The real call leaves `to` alone where fd is no descriptor, and does nothing where they are equal. */
static bool changes_nothing(int fd, int to)
{
	return fd == to || tls.vfork_depth || (!fd_is_tracked(fd) && !fd_is_tracked(to));
}

EXPORT int dup2(int fd, int to)
{
	struct onto t;
	int r;

	if (changes_nothing(fd, to))
		return PASS(dup2)(fd, to);
	fdtab_onto_begin(fd, to, &t);
	HOOK("dup2", fd);
	r = PASS(dup2)(fd, to);
	fdtab_onto_end(fd, to, &t, r >= 0, false);
	return r;
}
ALIAS_OF(__dup2, dup2);

EXPORT int dup3(int fd, int to, int flags)
{
	struct onto t;
	int r;

	if (changes_nothing(fd, to))
		return PASS(dup3)(fd, to, flags);
	fdtab_onto_begin(fd, to, &t);
	HOOK("dup2", fd);
	r = PASS(dup3)(fd, to, flags);
	fdtab_onto_end(fd, to, &t, r >= 0, flags & O_CLOEXEC);
	return r;
}

/* ---- fcntl ---- */

static int duplicate(int fd, int cmd, void *arg)
{
	uintptr_t before = fd_slot(fd);
	struct gate_seen seen = gate_seen();
	int new = PASS(fcntl)(fd, cmd, arg);

	if (new >= 0 && !tls.vfork_depth)
		fdtab_shared(fd, before, new, cmd == F_DUPFD_CLOEXEC, seen);
	return new;
}

static int set_status_flags(int fd, void *arg)
{
	struct ofd *held;
	int r;

	if (fd_kernel_begin(fd, R_flags, &held))
		return (int)to_libc(-EBADF);
	r = PASS(fcntl)(fd, F_SETFL, arg);
	if (!r && held)
		ofd_set_append(held, (long)arg & O_APPEND);
	fd_kernel_end(held);
	return r;
}

static int lock(int fd, int cmd, void *arg)
{
	struct ofd *held = NULL;
	struct flock f;
	int r;

	if ((!ground_peek(&f, arg, sizeof(f)) || f.l_whence == SEEK_CUR) &&
	    fd_kernel_begin(fd, R_lock, &held))
		return (int)to_libc(-EBADF);
	r = PASS(fcntl)(fd, cmd, arg);
	fd_kernel_end(held);
	return r;
}

static int set_descriptor_flags(int fd, void *arg)
{
	struct gate_seen seen = gate_seen();
	int r = PASS(fcntl)(fd, F_SETFD, arg);

	if (!r && !((long)arg & FD_CLOEXEC))
		fdtab_inheritable(fd, seen);
	return r;
}

EXPORT int fcntl(int fd, int cmd, ...)
{
	va_list ap;
	void *arg;

	va_start(ap, cmd);
	arg = va_arg(ap, void *);
	va_end(ap);
	switch (fd_is_tracked(fd) ? cmd : cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC ? cmd : -1) {
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
		return duplicate(fd, cmd, arg);
	case F_SETFL:
		return set_status_flags(fd, arg);
	case F_SETFD:
		return set_descriptor_flags(fd, arg);
	case F_GETLK:
	case F_SETLK:
	case F_SETLKW:
	case F_OFD_GETLK:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
		return lock(fd, cmd, arg);
	default:
		return PASS(fcntl)(fd, cmd, arg);
	}
}
ALIAS_OF(fcntl64, fcntl);
ALIAS_OF(__fcntl, fcntl);
