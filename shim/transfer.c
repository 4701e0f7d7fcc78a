/* SPDX-License-Identifier: MIT */
/*
 * Floor 4, operations: read and write at the offset.  Six calls, one body for each direction; the
 * kind is a constant where the body is used, so each call compiles to its own straight line.
 */
#include "transfer.h"
#include "audit.h"
#include "config.h"
#include "transfer_calls.h"

/*
 * The kernel knows read but not pread here: no file that seeks, or a filter of system calls.  A
 * filter that looks at arguments may have let the trial at start pass; EINVAL is a file's own
 * answer, too (to O_DIRECT, say), and costs nothing to ask for again.
 */
HOT bool is_refused(long r)
{
	return unlikely(r < 0) && (r == -ESPIPE || r == -EPERM || r == -ENOSYS || r == -EACCES ||
				   (r == -EINVAL && config.filtered));
}

/* ---- where the kernel holds the offset, or somebody else is at work ---- */

/*
 * After two lost swaps or waits in one call the threads fight: the kernel's lock serves them
 * better.  A single thread loses to its own handlers only, and each of them but once.
 */
static COLD void lost(struct look *l, int *losses)
{
	if (++*losses >= 2 && count_threads() > 1 && !config.keep)
		fd_hand_back(l->fd, R_contention, true);
}

static COLD void meet_mark(struct look *l, int *losses)
{
	if (!word_is_mine(l->w)) {
		ofd_wait(l->ofd, l->w);
		lost(l, losses);
		return;
	}
	flight_interrupted(l); /* we are a handler of the writer */
}

/* What we would have made of it: a positioned call, or an append by the kernel. */
static __attribute__((noinline)) long audited(const enum kind k, const struct transfer *t,
					      struct look *l)
{
	bool reads = k == READ || k == READV || k == PREADV2, places = reads || !appends(l->w);
	int64_t off = audit_before(l, reads ? "at a read" : places ? "at a write" : "at an append");
	long r = at_f_pos(k, t);

	count(reads ? C_read : places ? C_write : C_append);
	audit_after(l, off + (r > 0 ? r : 0), places || r <= 0);
	return r;
}

HOT long in_kernel(const enum kind k, const struct transfer *t, struct look *l, unsigned counter)
{
	long r;

	if (word_state(l->w) == GONE || word_state(l->w) == FREE) {
		count_pass(counter, l->ofd->why);
		HOOK("late", t->fd);
		return at_f_pos(k, t);
	}
	if (!look_enter(l))
		return LOOK_AGAIN;
	if (unlikely(word_state(l->w) == AUDITED))
		return audited(k, t, l);
	HOOK("kernel", t->fd);
	r = at_f_pos(k, t);
	ofd_leave(l->ofd);
	count_pass(counter, R_unseeked);
	return r;
}

/* ---- reading ---- */

HOT long read_kind(const enum kind k, const struct transfer *t)
{
	int losses = 0;
	struct look l;
	long r;

	for (;;) {
		int what = look_tracked(t->fd, &l);

		if (unlikely(what)) {
			if (what < 0)
				return what;
			count_pass(C_pass_read, R_stranger);
			return at_f_pos(k, t);
		}
		switch (word_state(l.w)) {
		case WRITING:
		case HANDING:
			meet_mark(&l, &losses);
			continue;
		case OURS:
			HOOK("pread", t->fd);
			r = read_ours(k, t, &l);
			if (unlikely(r == LOOK_AGAIN)) {
				lost(&l, &losses);
				continue;
			}
			if (is_refused(r)) {
				fd_hand_back(t->fd, R_refused, true);
				continue;
			}
			count(C_read);
			return r;
		default:
			r = in_kernel(k, t, &l, C_pass_read);
			if (r != LOOK_AGAIN)
				return r;
		}
	}
}

/* ---- writing ---- */

/* The kernel checks f_pos + length against the largest offset also where it then appends. */
static COLD long append_by_kernel(const struct transfer *t)
{
	fd_hand_back(t->fd, R_append, false);
	return LOOK_AGAIN;
}

HOT long write_ours(const enum kind k, const struct transfer *t, struct look *l)
{
	long r;

	if (unlikely(appends(l->w) && l->w.off > INT64_MAX / 2))
		return append_by_kernel(t);
	if (unlikely(!is_bare()))
		real_testcancel();
	r = write_marked(k, t, l);
	if (r == LOOK_AGAIN)
		return r;
	if (unlikely(r == -EINVAL && appends(l->w)))
		return append_by_kernel(t);
	if (is_refused(r)) {
		fd_hand_back(t->fd, R_refused, true);
		return LOOK_AGAIN;
	}
	count(appends(l->w) ? C_append : C_write);
	return r;
}

HOT long write_kind(const enum kind k, const struct transfer *t)
{
	int losses = 0;
	struct look l;
	long r;

	do {
		int what = look_tracked(t->fd, &l);

		if (unlikely(what)) {
			if (what < 0)
				return what;
			count_pass(C_pass_write, R_stranger);
			return at_f_pos(k, t);
		}
		switch (word_state(l.w)) {
		case WRITING:
		case HANDING:
			meet_mark(&l, &losses);
			r = LOOK_AGAIN;
			break;
		case OURS:
			r = write_ours(k, t, &l);
			break;
		default:
			r = in_kernel(k, t, &l, C_pass_write);
		}
	} while (r == LOOK_AGAIN);
	return r;
}

/* ---- doors ---- */

OFTEN long transfer_read(int fd, void *buf, size_t n)
{
	return to_libc(read_kind(READ, &(struct transfer){fd, buf, n, 0}));
}
long transfer_readv(int fd, const struct iovec *iov, int n)
{
	return to_libc(read_kind(READV, &(struct transfer){fd, iov, (size_t)n, 0}));
}
long transfer_preadv2(int fd, const struct iovec *iov, int n, int flags)
{
	return to_libc(read_kind(PREADV2, &(struct transfer){fd, iov, (size_t)n, flags}));
}
OFTEN long transfer_write(int fd, const void *buf, size_t n)
{
	return to_libc(write_kind(WRITE, &(struct transfer){fd, buf, n, 0}));
}
long transfer_writev(int fd, const struct iovec *iov, int n)
{
	return to_libc(write_kind(WRITEV, &(struct transfer){fd, iov, (size_t)n, 0}));
}
long transfer_pwritev2(int fd, const struct iovec *iov, int n, int flags)
{
	return to_libc(write_kind(PWRITEV2, &(struct transfer){fd, iov, (size_t)n, flags}));
}
