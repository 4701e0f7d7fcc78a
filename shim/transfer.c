/* SPDX-License-Identifier: MIT */
/*
 * Floor 4, operations: read and write at the offset.  Six calls, one body for each direction; the
 * kind is a constant where the body is used, so each call compiles to its own straight line.
 */
#include "transfer.h"
#include "config.h"
#include "real.h"

enum kind { READ, READV, PREADV2, WRITE, WRITEV, PWRITEV2 };

struct transfer {
	int fd;
	const void *p; /* a buffer of n bytes, or a vector of n parts */
	size_t n;
	int flags; /* RWF_ */
};

/* In the place of the kernel's offset; through libc, which makes the reads cancellation points. */
HOT long at_f_pos(const enum kind k, const struct transfer *t)
{
	switch (k) {
	case READ:
		return from_libc(real_read(t->fd, (void *)t->p, t->n));
	case READV:
		return from_libc(real_readv(t->fd, t->p, (int)t->n));
	case PREADV2:
		return from_libc(real_preadv2(t->fd, t->p, (int)t->n, -1, t->flags));
	case WRITE:
		return from_libc(real_write(t->fd, t->p, t->n));
	case WRITEV:
		return from_libc(real_writev(t->fd, t->p, (int)t->n));
	default:
		return from_libc(real_pwritev2(t->fd, t->p, (int)t->n, -1, t->flags));
	}
}

/*
 * At an offset of ours.  The writes are raw: between mark and settle neither a cancellation nor
 * another library may come.
 */
HOT long at(const enum kind k, const struct transfer *t, int64_t off)
{
	switch (k) {
	case READ:
		return from_libc(real_pread(t->fd, (void *)t->p, t->n, off));
	case READV:
		return from_libc(real_preadv(t->fd, t->p, (int)t->n, off));
	case PREADV2:
		return from_libc(real_preadv2(t->fd, t->p, (int)t->n, off, t->flags));
	case WRITE:
		return RAW4(SYS_pwrite64, t->fd, t->p, t->n, off);
	case WRITEV:
		return RAW6(SYS_pwritev, t->fd, t->p, (int)t->n, off, 0, 0);
	default:
		return RAW6(SYS_pwritev2, t->fd, t->p, (int)t->n, off, 0, t->flags);
	}
}

/* O_APPEND: the kernel's own write, also raw because it is marked. */
HOT long at_end(const enum kind k, const struct transfer *t)
{
	switch (k) {
	case WRITE:
		return RAW3(SYS_write, t->fd, t->p, t->n);
	case WRITEV:
		return RAW3(SYS_writev, t->fd, t->p, (int)t->n);
	default:
		return RAW6(SYS_pwritev2, t->fd, t->p, (int)t->n, -1, -1, t->flags);
	}
}

/* The kernel knows read but not pread here: no file that seeks, or a filter of system calls. */
HOT bool is_refused(long r)
{
	return unlikely(r == -ESPIPE || r == -EPERM || r == -ENOSYS);
}

/* ---- where the kernel holds the offset, or somebody else is at work ---- */

enum { LOOK_AGAIN = INT_MIN };

/*
 * After two lost swaps or waits in one call the threads fight: the kernel's lock serves them better.
 * A single thread loses to its own handlers only, and each of them but once.
 */
static COLD void lost(struct look *l, int *losses)
{
	if (++*losses >= 2 && count_threads() > 1 && !config.keep)
		fd_hand_back(l->fd, R_contention, true);
}

static COLD bool must_wait(struct look *l, int *losses)
{
	if (!word_is_mine(l->w)) {
		ofd_wait(l->ofd, l->w);
		lost(l, losses);
		return true;
	}
	if (l->w.ctl & W_VECTOR) {
		ofd_reserve(l);
		return true;
	}
	return false; /* we are a handler of the writer: behind its range */
}

HOT long in_kernel(const enum kind k, const struct transfer *t, struct look *l, unsigned counter)
{
	long r;

	if (word_state(l->w) == KERNEL) {
		if (!ofd_enter(l))
			return LOOK_AGAIN;
		if (!look_holds(l)) {
			ofd_leave(l->ofd);
			return LOOK_AGAIN;
		}
		HOOK("kernel", t->fd);
		r = at_f_pos(k, t);
		ofd_leave(l->ofd);
		count_pass(counter, R_unseeked);
		return r;
	}
	count_pass(counter, l->ofd->why);
	return at_f_pos(k, t);
}

/* ---- reading ---- */

HOT long read_kind(const enum kind k, const struct transfer *t)
{
	int losses = 0;
	struct look l;
	long r;

	for (;;) {
		int what = look(t->fd, &l);

		if (unlikely(what)) {
			if (what < 0)
				return what;
			count_pass(C_pass_read, R_stranger);
			return at_f_pos(k, t);
		}
		switch (word_state(l.w)) {
		case WRITING:
		case HANDING:
			if (must_wait(&l, &losses))
				continue;
			/* fall through */
		case OURS:
			HOOK("pread", t->fd);
			r = at(k, t, l.w.off);
			if (is_refused(r)) {
				fd_hand_back(t->fd, R_refused, true);
				continue;
			}
			if (!look_holds(&l))
				continue;
			/* Also a result of 0 or an error: only a swap proves that it was true. */
			if (!word_swap(&l.ofd->word, l.w, word_moved(l.w, l.w.off + (r > 0 ? r : 0)))) {
				count(C_retry);
				lost(&l, &losses);
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

/*
 * The result of the marked call is known.  If a handler of this thread went on meanwhile, the offset
 * is where it left it, less what the write came short of.
 */
HOT void settle(const struct look *l, struct word mark, int64_t reserved, int64_t done,
		const struct flight *f)
{
	bool nested = word_state(l->w) == WRITING;
	struct word old, new;
	int64_t off;

	do {
		old = word_load(&l->ofd->word);
		if (unlikely(word_state(old) != WRITING || !word_is_mine(old)))
			return; /* our handler gave it to the kernel */
		off = old.off;
		if (likely((old.ctl & ~W_WAITERS) == (mark.ctl & ~W_WAITERS)))
			off = l->w.off + done;
		else if (!(old.ctl & W_MOVED))
			off += done - (f ? (old.ctl & W_VECTOR ? 0 : f->total) : reserved);
		new = word_next(old, nested ? WRITING : OURS, off, nested ? my_tid() : 0);
		if (unlikely(nested))
			new.ctl |= (old.ctl & (W_WAITERS | W_MOVED)) | (l->w.ctl & W_MOVED);
	} while (!word_swap(&l->ofd->word, old, new));
	if (!nested)
		ofd_wake(l->ofd, old);
}

/* The kernel has written at the end and moved f_pos there: now it holds the truth. */
static COLD void settle_append(const struct look *l, long r)
{
	struct word old, new;

	do {
		old = word_load(&l->ofd->word);
		if (word_state(old) != WRITING || !word_is_mine(old))
			return;
		if (old.ctl & W_MOVED || r <= 0)
			new = word_next(old, OURS, old.off, 0);
		else
			new = word_next(old, KERNEL, 0, 0);
	} while (!word_swap(&l->ofd->word, old, new));
	ofd_wake(l->ofd, old);
	count(C_append);
}

static bool takes_back(const struct look *l, struct word mark)
{
	settle(l, mark, 0, 0, NULL);
	return true;
}

HOT bool mark_writing(struct look *l, int64_t reserved, uint64_t flags, struct word *mark)
{
	*mark = word_next(l->w, WRITING, l->w.off + reserved, my_tid());
	mark->ctl |= flags | (l->w.ctl & W_WAITERS);
	if (unlikely(!word_swap(&l->ofd->word, l->w, *mark))) {
		count(C_retry);
		return false;
	}
	/* From here on a closer of this number waits for us; was one faster, it is not our file. */
	if (unlikely(!look_holds(l)))
		return !takes_back(l, *mark);
	return true;
}

HOT long write_ours(const enum kind k, const struct transfer *t, struct look *l)
{
	bool vector = k != WRITE;
	int64_t reserved = vector ? 0 : t->n < MAX_TRANSFER ? (int64_t)t->n : MAX_TRANSFER;
	struct flight f;
	struct word mark;
	long r;

	if (unlikely(l->w.off > INT64_MAX - MAX_TRANSFER)) {
		fd_hand_back(t->fd, R_limit, false);
		return LOOK_AGAIN;
	}
	real_testcancel();
	if (vector) {
		f = (struct flight){l->ofd, t->p, (int)t->n, 0, tls.flight};
		tls.flight = &f;
	}
	if (mark_writing(l, reserved, vector ? W_VECTOR : 0, &mark)) {
		HOOK("pwrite", t->fd);
		r = at(k, t, l->w.off);
		HOOK("settle", t->fd);
		settle(l, mark, reserved, r > 0 ? r : 0, vector ? &f : NULL);
	} else {
		r = LOOK_AGAIN;
	}
	if (vector)
		tls.flight = f.outer;
	if (is_refused(r)) {
		fd_hand_back(t->fd, R_refused, true);
		return LOOK_AGAIN;
	}
	if (r != LOOK_AGAIN)
		count(C_write);
	return r;
}

HOT long write_append(const enum kind k, const struct transfer *t, struct look *l)
{
	struct word mark;
	long r;

	real_testcancel();
	if (!mark_writing(l, 0, 0, &mark))
		return LOOK_AGAIN;
	HOOK("pwrite", t->fd);
	r = at_end(k, t);
	settle_append(l, r);
	return r;
}

HOT long write_kind(const enum kind k, const struct transfer *t)
{
	int losses = 0;
	struct look l;
	long r;

	do {
		int what = look(t->fd, &l);

		if (unlikely(what)) {
			if (what < 0)
				return what;
			count_pass(C_pass_write, R_stranger);
			return at_f_pos(k, t);
		}
		switch (word_state(l.w)) {
		case WRITING:
		case HANDING:
			if (must_wait(&l, &losses)) {
				r = LOOK_AGAIN;
				break;
			}
			/* fall through */
		case OURS:
			r = unlikely(l.w.ctl & W_APPEND) ? write_append(k, t, &l)
							 : write_ours(k, t, &l);
			break;
		default:
			r = in_kernel(k, t, &l, C_pass_write);
		}
	} while (r == LOOK_AGAIN);
	return r;
}

/* ---- doors ---- */

long transfer_read(int fd, void *buf, size_t n)
{
	return read_kind(READ, &(struct transfer){fd, buf, n, 0});
}
long transfer_readv(int fd, const struct iovec *iov, int n)
{
	return read_kind(READV, &(struct transfer){fd, iov, (size_t)n, 0});
}
long transfer_preadv2(int fd, const struct iovec *iov, int n, int flags)
{
	return read_kind(PREADV2, &(struct transfer){fd, iov, (size_t)n, flags});
}
long transfer_write(int fd, const void *buf, size_t n)
{
	return write_kind(WRITE, &(struct transfer){fd, buf, n, 0});
}
long transfer_writev(int fd, const struct iovec *iov, int n)
{
	return write_kind(WRITEV, &(struct transfer){fd, iov, (size_t)n, 0});
}
long transfer_pwritev2(int fd, const struct iovec *iov, int n, int flags)
{
	return write_kind(PWRITEV2, &(struct transfer){fd, iov, (size_t)n, flags});
}
