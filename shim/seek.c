/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: lseek. */
#include "seek.h"
#include "admit.h"
#include "audit.h"
#include "config.h"
#include "flight.h"
#include "real.h"
#include "where.h"

static long answered(struct look *l, int whence, long target)
{
	count(whence == SEEK_SET ? C_seek_set : whence == SEEK_CUR ? C_seek_cur : C_seek_end);
	l->ofd->saved++;
	return target;
}

static long lost(void)
{
	count(C_retry);
	return LOOK_AGAIN;
}

/* fstat costs more than the kernel's lseek unless the lock of f_pos can be contended. */
static bool probes_by_fstat(const struct look *l)
{
	if (!(l->w.ctl & W_REGULAR))
		return false;
	if (config.size != SIZE_AUTO)
		return config.size == SIZE_FSTAT;
	return __atomic_load_n(&l->ofd->refs, __ATOMIC_RELAXED) > 1 || count_threads() > 1;
}

/*
 * Only the kernel can say.  The question is marked like a write: were it to stand before the kernel
 * when the number gets another file, it would move that file's offset.
 */
static long ask(struct look *l, int64_t off, int whence, bool moves)
{
	uint32_t birth = l->ofd->birth;
	long r = flight(l, moves ? LANDS_AT : LANDS_NOWHERE, "kernel", SYS_lseek, l->fd, off,
			whence, 0, 0, 0);

	if (r == LOOK_AGAIN)
		return r;
	count(C_asked);
	if (r >= 0 && (l->w.ctl & W_REGULAR || whence == SEEK_END))
		ofd_learn(l->ofd, birth, r);
	return moves ? r : LOOK_AGAIN;
}

static long move(struct look *l, int whence, int64_t target)
{
	if (unlikely(!word_swap(&l->ofd->word, l->w, word_moved(l->w, target))))
		return lost();
	return answered(l, whence, target);
}

static COLD long seek_from_end(struct look *l, int64_t off)
{
	struct stat st;
	int64_t target;

	if (!probes_by_fstat(l) || RAW2(SYS_fstat, l->fd, &st) || !look_holds(l))
		return ask(l, off, SEEK_END, true);
	where_lands(0, st.st_size, off, SEEK_END, &target);
	if (!ofd_good(l->ofd, l->w, target) && !(target >= 0 && target <= st.st_size))
		return ask(l, target, SEEK_SET, true);
	return move(l, SEEK_END, target);
}

OFTEN static long seek_ours(struct look *l, int64_t off, int whence)
{
	int64_t target;

	if (whence == SEEK_END)
		return seek_from_end(l, off);
	if (unlikely(!where_lands(l->w.off, 0, off, whence, &target)))
		return ask(l, off, whence, true);
	/* A device's end is asked for once, in place of the first lseek that needs it. */
	if (unlikely(l->w.ctl & W_BLOCK && !ofd_has_limit(l->ofd)))
		return ask(l, 0, SEEK_END, false);
	if (unlikely(!ofd_good(l->ofd, l->w, target) && target != l->w.off))
		return ask(l, target, SEEK_SET, true);
	return move(l, whence, target);
}

/* What the word says, or one fstat: for a description that is seeked for the second time. */
static uint64_t admit_ask(const struct look *l, bool *refused)
{
	struct stat st;
	uint64_t admitted = l->w.ctl & W_ADMITTED;

	if (admitted || RAW2(SYS_fstat, l->fd, &st))
		return admitted;
	admitted = admit_judge(l->fd, &st, true);
	if (!look_holds(l))
		return 0;
	*refused = !admitted;
	return admitted;
}

/*
 * The kernel holds the offset and goes on holding it, or we learn from its answer: where it is now
 * (W7), or, on an admitted file, all that a take needs.
 */
HOT long ask_kernel(struct look *l, int64_t off, int whence)
{
	uint32_t birth = l->ofd->birth;
	bool refused = false;
	uint64_t admitted;
	struct word new;
	long r;

	if (!look_enter(l))
		return lost();
	if (!(l->w.ctl & W_ADMITTED) && !__atomic_load_n(&hot.wants_verdict, __ATOMIC_RELAXED))
		__atomic_store_n(&hot.wants_verdict, true, __ATOMIC_RELAXED);
	HOOK("kernel", l->fd);
	r = BARE(RAW3(SYS_lseek, l->fd, off, whence), real_lseek(l->fd, off, whence));
	count_pass(C_pass_lseek, unlikely(hot_get(&hot.off)) ? R_off : R_unseeked);
	/* Re-pointed meanwhile: the answer may be another file's. */
	if (r < 0 || word_who(l->w) != 1 || l->slot & S_CHANGING || !look_holds(l)) {
		ofd_leave(l->ofd);
		return r;
	}
	admitted = l->w.ctl & W_SEEKED ? admit_ask(l, &refused) : l->w.ctl & W_ADMITTED;
	if (admitted && !gate_forbids_takes()) {
		new = word_next(l->w, config.audit ? AUDITED : OURS, r, 0);
		new.ctl |= admitted;
	} else {
		new = word_next(l->w, KERNEL, r, 0);
		new.ctl |= W_KNOWN | W_SEEKED;
	}
	if (!word_swap(&l->ofd->word, l->w, new)) {
		ofd_leave(l->ofd);
		return r;
	}
	if (word_state(new) != KERNEL)
		count(C_take);
	if (l->w.ctl & W_REGULAR || whence == SEEK_END)
		ofd_learn(l->ofd, birth, r);
	if (refused)
		fd_hand_back(l->fd, R_fs, true);
	return r;
}

/* The same, where it is not worth a copy of its own. */
static COLD long seek_in_kernel(struct look *l, int64_t off, int whence)
{
	return ask_kernel(l, off, whence);
}

/*
 * Who seeks but once is not to pay for us: unless the program has made an fstat itself, or seeks its
 * files more than once as far as we have seen, the first lseek is the kernel's.  A size probe is an
 * fstat in any case.
 */
HOT bool may_take(const struct look *l, int whence)
{
	bool ripe = l->w.ctl & (W_ADMITTED | W_SEEKED);

	switch (whence) {
	case SEEK_SET:
		ripe = ripe || __atomic_load_n(&hot.seeks_again, __ATOMIC_RELAXED) > 0;
		break;
	case SEEK_CUR:
		ripe = ripe && l->w.ctl & W_KNOWN;
		break;
	default:
		ripe = whence == SEEK_END && config.size != SIZE_LSEEK;
	}
	return ripe && !config.audit && !ofd_is_busy(l->w) && !gate_forbids_takes();
}

/*
 * An lseek that names a place.  It costs one fstat where neither we nor the program has made one.
 */
static __attribute__((noinline)) long seek_and_take(struct look *l, int64_t off, int whence)
{
	uint32_t birth = l->ofd->birth;
	struct look as = *l;
	int64_t target = 0;
	struct word taken;
	struct stat st;

	st.st_size = 0;
	if (!(l->w.ctl & W_ADMITTED) || whence == SEEK_END) {
		if (RAW2(SYS_fstat, l->fd, &st))
			return seek_in_kernel(l, off, whence);
		as.w.ctl |= admit_judge(l->fd, &st, true);
		if (!look_holds(l))
			return LOOK_AGAIN;
		if (!(as.w.ctl & W_ADMITTED)) {
			ofd_hand_back(l, R_fs, true);
			return LOOK_AGAIN;
		}
		if (whence == SEEK_END && !probes_by_fstat(&as))
			return seek_in_kernel(l, off, whence);
	}
	where_lands(l->w.off, st.st_size, off, whence, &target);
	if (!ofd_good(l->ofd, as.w, target) && !(target >= 0 && target <= st.st_size)) {
		uint64_t old = l->w.ctl;

		l->w.ctl = as.w.ctl + W_SEQ_ONE;
		if (!word_swap_ctl(&l->ofd->word, &old, l->w.ctl))
			return lost();
		return seek_in_kernel(l, off, whence);
	}
	if (l->w.ctl & W_SEEKED)
		ofd_seeks_again(true);
	HOOK("take", l->fd);
	taken = word_next(as.w, OURS, target, 0);
	taken.ctl |= l->w.ctl & W_SEEKED;
	if (!word_swap(&l->ofd->word, l->w, taken))
		return lost();
	ofd_learn(l->ofd, birth, st.st_size);
	count(C_take);
	return answered(l, whence, target);
}

static bool would_land(const struct look *l, int64_t from, int64_t off, int whence, int64_t *target)
{
	struct stat st = {0};

	if (whence == SEEK_END && (!probes_by_fstat(l) || RAW2(SYS_fstat, l->fd, &st)))
		return false;
	return where_lands(from, st.st_size, off, whence, target) &&
	       (ofd_good(l->ofd, l->w, *target) || (*target >= 0 && *target <= st.st_size));
}

/* The kernel answers, and we say what we would have answered. */
static COLD long audited(struct look *l, int64_t off, int whence)
{
	uint32_t birth = l->ofd->birth;
	int64_t from, ours = 0, again = 0;
	bool known;
	long r;

	if (!look_enter(l))
		return lost();
	from = audit_before(l, "at an lseek");
	known = would_land(l, from, off, whence, &ours);
	r = BARE(RAW3(SYS_lseek, l->fd, off, whence), real_lseek(l->fd, off, whence));
	/* A file that another process makes longer or shorter is no disagreement. */
	if (known && r != ours && would_land(l, from, off, whence, &again) && again == ours)
		audit_disagree(l, "after an lseek", ours, r);
	if (known)
		answered(l, whence, r);
	else
		count(C_asked);
	if (r >= 0 && (l->w.ctl & W_REGULAR || whence == SEEK_END))
		ofd_learn(l->ofd, birth, r);
	audit_after(l, r >= 0 ? r : from, true);
	return r;
}

HOT long seek_now(int fd, int64_t off, int whence)
{
	struct look l;
	long r;

	do {
		int what = look_tracked(fd, &l);

		if (what)
			return what < 0 ? what : from_libc(PASS(lseek)(fd, off, whence));
		switch (word_state(l.w)) {
		case WRITING:
		case HANDING:
			if (word_is_mine(l.w))
				flight_interrupted(&l);
			else
				ofd_wait(l.ofd, l.w);
			r = LOOK_AGAIN;
			break;
		case OURS:
			r = seek_ours(&l, off, whence);
			break;
		case AUDITED:
			r = audited(&l, off, whence);
			break;
		case KERNEL:
			r = may_take(&l, whence) ? seek_and_take(&l, off, whence)
						 : ask_kernel(&l, off, whence);
			break;
		default:
			count_pass(C_pass_lseek, l.ofd->why);
			HOOK("late", fd);
			return BARE(RAW3(SYS_lseek, fd, off, whence), real_lseek(fd, off, whence));
		}
	} while (r == LOOK_AGAIN);
	return r;
}

OFTEN long seek(int fd, int64_t off, int whence)
{
	return to_libc(seek_now(fd, off, whence));
}

void seek_learn(const struct look *l, const struct stat *st)
{
	uint32_t birth = l->ofd->birth;
	uint64_t ctl = l->w.ctl, bits;
	bool ask;

	if (word_state(l->w) != KERNEL || ctl & W_ADMITTED || l->slot & S_CHANGING)
		return;
	/* Who never seeks pays no call for us. */
	ask = __atomic_load_n(&hot.wants_verdict, __ATOMIC_RELAXED);
	if (ask)
		__atomic_store_n(&hot.wants_verdict, false, __ATOMIC_RELAXED);
	bits = admit_judge(l->fd, st, ask);
	if (bits && look_holds(l) && word_swap_ctl(&l->ofd->word, &ctl, (ctl | bits) + W_SEQ_ONE))
		ofd_learn(l->ofd, birth, st->st_size);
}
