/* SPDX-License-Identifier: MIT */
/* Floor 5, entry points: deaths of numbers, and numbers that change hands. */
#include "real.h"
#include "usual.h"
#include <linux/close_range.h>

/* A vfork child's own number is no more what its parent knows under it. */
static int in_vfork_child(int fd, int r)
{
	if (r >= 0)
		fd_set_changed(fd);
	return r;
}
static void in_vfork_child_all(unsigned from, unsigned to)
{
	for (unsigned fd = from; fd <= to && fd < hot.high; fd++)
		fd_set_changed((int)fd);
}

static COLD int close_ended(int fd, uintptr_t ticket, int r)
{
	fdtab_close_end(fd, ticket);
	return (int)to_libc(r);
}
static COLD int close_marked(int fd, uintptr_t ticket)
{
	fdtab_close_wait(fd, ticket);
	HOOK("close", fd);
	return close_ended(fd, ticket, (int)BARE(RAW1(SYS_close, fd), real_close(fd)));
}
static __attribute__((noinline)) int close_unusual(int fd)
{
	uintptr_t ticket;
	int r;

	if (!hot.size)
		return real_close(fd);
	if (tls.vfork_depth)
		return in_vfork_child(fd, (int)to_libc(BARE(RAW1(SYS_close, fd), real_close(fd))));
	if (!fd_is_tracked(fd)) {
		r = PASS(close)(fd);
		if (unlikely(fd_slot(fd)))
			fdtab_close_end(fd, 0);
		return r;
	}
	r = fdtab_close_begin(fd, &ticket);
	if (r < 0)
		return (int)to_libc(r);
	HOOK("close", fd);
	return close_ended(fd, ticket, (int)BARE(RAW1(SYS_close, fd), real_close(fd)));
}

OFTEN EXPORT int close(int fd)
{
	/* In a vfork child a look would cost its parent the offset (fd_slot). */
	uintptr_t slot = unlikely(tls.vfork_depth) ? 0 : fd_slot(fd), ticket;
	struct look l;
	int r;

	if (!slot_is_tracked(slot) || unlikely(!look_usual(fd, slot, &l)) ||
	    unlikely(!(ticket = close_usual_begin(&l))))
		return close_unusual(fd);
	if (unlikely(close_usual_must_wait(&l)))
		return close_marked(fd, ticket);
	HOOK("close", fd);
	r = (int)RAW1(SYS_close, fd);
	if (unlikely(r < 0) || unlikely(!close_usual_end(fd, ticket)))
		return close_ended(fd, ticket, r);
	return ofd_drop(slot_ofd(ticket)); /* 0 */
}
ALIAS_OF(__close, close);

EXPORT int close_range(unsigned from, unsigned to, int flags)
{
	int r;

	if (flags & CLOSE_RANGE_UNSHARE)
		fdtab_retire(R_unshare);
	if (flags || from > to)
		return PASS(close_range)(from, to, flags);
	if (tls.vfork_depth) {
		in_vfork_child_all(from < TLS_NUMBERS ? TLS_NUMBERS : from, to);
		r = PASS(close_range)(from, to, flags);
		if (!r)
			in_vfork_child_all(from, to);
		return r;
	}
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
		in_vfork_child_all(first, ~0U);
		PASS(closefrom)(from);
		return;
	}
	fdtab_forget(first, ~0U);
	PASS(closefrom)(from);
	fdtab_forget_closed(first, ~0U);
}

/* ---- duplicates ---- */

/* What a vfork child duplicates may live on in the program that it executes. */
static int before_duplicate(int fd, struct source *s)
{
	if (!tls.vfork_depth)
		return fdtab_source_begin(fd, s);
	fd_hand_back(fd, R_vfork, true);
	return 0;
}
static int duplicated(int fd, const struct source *s, int new, bool cloexec)
{
	if (tls.vfork_depth) {
		if (new >= 0)
			fd_set_changed(new);
		return new;
	}
	if (new >= 0)
		fdtab_shared(fd, s, new, cloexec);
	fdtab_source_end(s);
	return new;
}

EXPORT int dup(int fd)
{
	struct source s;

	if (before_duplicate(fd, &s))
		return (int)to_libc(-EBADF);
	return duplicated(fd, &s, PASS(dup)(fd), false);
}

/*
 * The real call leaves `to` alone where fd is no descriptor, and does nothing where they are equal.
 */
static bool changes_nothing(int fd, int to)
{
	return fd == to || (!fd_is_tracked(fd) && !fd_is_tracked(to));
}
static int dup_in_vfork_child(int fd, int to, int flags, bool two)
{
	fd_hand_back(fd, R_vfork, true);
	if (to >= TLS_NUMBERS)
		fd_hand_back(to, R_vfork, true);
	return in_vfork_child(to, two ? PASS(dup2)(fd, to) : PASS(dup3)(fd, to, flags));
}

EXPORT int dup2(int fd, int to)
{
	struct onto t;
	int r;

	if (tls.vfork_depth && fd != to)
		return dup_in_vfork_child(fd, to, 0, true);
	if (changes_nothing(fd, to))
		return PASS(dup2)(fd, to);
	if (fdtab_onto_begin(fd, to, &t))
		return (int)to_libc(-EBADF);
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

	if (tls.vfork_depth && fd != to)
		return dup_in_vfork_child(fd, to, flags, false);
	if (changes_nothing(fd, to))
		return PASS(dup3)(fd, to, flags);
	if (fdtab_onto_begin(fd, to, &t))
		return (int)to_libc(-EBADF);
	HOOK("dup2", fd);
	r = PASS(dup3)(fd, to, flags);
	fdtab_onto_end(fd, to, &t, r >= 0, flags & O_CLOEXEC);
	return r;
}

/* ---- fcntl ---- */

static int duplicate(int fd, int cmd, void *arg)
{
	struct source s;

	if (before_duplicate(fd, &s))
		return (int)to_libc(-EBADF);
	return duplicated(fd, &s, PASS(fcntl)(fd, cmd, arg), cmd == F_DUPFD_CLOEXEC);
}

static int set_status_flags(int fd, void *arg)
{
	struct ofd *held;
	int r;

	if (fd_kernel_begin(fd, R_flags, &held))
		return (int)to_libc(-EBADF);
	r = PASS(fcntl)(fd, F_SETFL, arg);
	HOOK("setfl", fd);
	if (!r && held)
		fd_learn_append(fd, held);
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
	int r;

	if (tls.vfork_depth) /* it may be meant to outlive the exec */
		fd_hand_back(fd, R_vfork, true);
	r = PASS(fcntl)(fd, F_SETFD, arg);

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
