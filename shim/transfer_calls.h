/* SPDX-License-Identifier: MIT */
/*
 * Floor 4, operations: the six calls of transfer.c as they are made: at the kernel's offset, or at
 * ours, which then goes on by the result.  Each returns the kernel's result, -errno or LOOK_AGAIN.
 */
#ifndef TRANSFER_CALLS_H
#define TRANSFER_CALLS_H

#include "flight.h"
#include "real.h"

enum kind { READ, READV, PREADV2, WRITE, WRITEV, PWRITEV2 };

struct transfer {
	int fd;
	const void *p; /* a buffer of n bytes, or a vector of n parts */
	size_t n;
	int flags; /* RWF_ */
};

/* In the place of the kernel's offset; cancellation points, as far as there are threads. */
HOT long at_f_pos(const enum kind k, const struct transfer *t)
{
	switch (k) {
	case READ:
		return BARE(RAW3(SYS_read, t->fd, t->p, t->n),
			    real_read(t->fd, (void *)t->p, t->n));
	case READV:
		return BARE(RAW3(SYS_readv, t->fd, t->p, (int)t->n),
			    real_readv(t->fd, t->p, (int)t->n));
	case PREADV2:
		return tls.by_syscall
			       ? RAW6(SYS_preadv2, t->fd, t->p, (int)t->n, -1, -1, t->flags)
			       : from_libc(real_preadv2(t->fd, t->p, (int)t->n, -1, t->flags));
	case WRITE:
		return BARE(RAW3(SYS_write, t->fd, t->p, t->n), real_write(t->fd, t->p, t->n));
	case WRITEV:
		return BARE(RAW3(SYS_writev, t->fd, t->p, (int)t->n),
			    real_writev(t->fd, t->p, (int)t->n));
	default:
		return tls.by_syscall
			       ? RAW6(SYS_pwritev2, t->fd, t->p, (int)t->n, -1, -1, t->flags)
			       : from_libc(real_pwritev2(t->fd, t->p, (int)t->n, -1, t->flags));
	}
}

/* At our offset, for another library that is preloaded behind us and is to see the call. */
static COLD long read_through(const enum kind k, const struct transfer *t, struct look *l)
{
	int64_t off = l->w.off;
	int before = errno; /* libc sets it, also where the answer does not count */
	long r;

	if (k == READ)
		r = from_libc(real_pread(t->fd, (void *)t->p, t->n, off));
	else if (k == READV)
		r = from_libc(real_preadv(t->fd, t->p, (int)t->n, off));
	else
		r = from_libc(real_preadv2(t->fd, t->p, (int)t->n, off, t->flags));
	if (!look_holds(l) ||
	    !word_swap(&l->ofd->word, l->w, word_moved(l->w, off + (r > 0 ? r : 0)))) {
		count(C_retry);
		r = LOOK_AGAIN;
	}
	errno = before;
	return r;
}

/*
 * At our offset, which goes on by the result; or LOOK_AGAIN.  A cancellation point, before the call.
 */
HOT long read_ours(const enum kind k, const struct transfer *t, struct look *l)
{
	int64_t off = l->w.off;

	if (unlikely(!real_is_libcs) && !tls.by_syscall)
		return read_through(k, t, l);
	if (unlikely(!is_bare()))
		real_testcancel();
	switch (k) {
	case READ:
		return flight_read(l, SYS_pread64, t->fd, (long)t->p, (long)t->n, off, 0, 0);
	case READV:
		return flight_read(l, SYS_preadv, t->fd, (long)t->p, (int)t->n, off, 0, 0);
	default:
		return flight_read(l, SYS_preadv2, t->fd, (long)t->p, (int)t->n, off, 0, t->flags);
	}
}

/* The kernel heeds no O_APPEND on a block device: a write goes to the offset there. */
static inline bool appends(struct word w)
{
	return (w.ctl & (W_APPEND | W_BLOCK)) == W_APPEND;
}

/*
 * The writes are raw: between mark and settle neither a cancellation nor another library may come.
 * With O_APPEND the kernel's own write is made, which knows where.
 */
HOT long write_marked(const enum kind k, const struct transfer *t, struct look *l)
{
	int64_t off = l->w.off;
	int n = (int)t->n;

	if (unlikely(appends(l->w))) {
		if (k == PWRITEV2)
			return flight(l, LANDS_APPENDED, "pwrite", SYS_pwritev2, t->fd, (long)t->p,
				      n, -1, -1, t->flags);
		return flight(l, LANDS_APPENDED, "pwrite", k == WRITE ? SYS_write : SYS_writev,
			      t->fd, (long)t->p, k == WRITE ? (long)t->n : n, 0, 0, 0);
	}
	switch (k) {
	case WRITE:
		return flight(l, LANDS_WRITTEN, "pwrite", SYS_pwrite64, t->fd, (long)t->p,
			      (long)t->n, off, 0, 0);
	case WRITEV:
		return flight(l, LANDS_WRITTEN, "pwrite", SYS_pwritev, t->fd, (long)t->p, n, off, 0,
			      0);
	default:
		return flight(l, LANDS_WRITTEN, "pwrite", SYS_pwritev2, t->fd, (long)t->p, n, off,
			      0, t->flags);
	}
}

#endif
