/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: lseek. */
#include "seek.h"
#include "seek_parts.h"

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
	return ripe && !ofd_is_busy(l->w) && !gate_forbids_takes();
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

	if (unlikely(config.audit))
		return seek_take_audited(l, off, whence);
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
			r = seek_audited(&l, off, whence);
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
