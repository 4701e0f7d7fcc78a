/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: lseek in an audit. */
#include "seek_parts.h"

/* A seek to the end would have been an fstat: its file gains nothing. */
static void would_answer(struct look *l, int whence)
{
	if (whence == SEEK_END)
		count(C_seek_end);
	else
		answered(l, whence, 0);
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
long seek_audited(struct look *l, int64_t off, int whence)
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
		would_answer(l, whence);
	else
		count(C_asked);
	if (r >= 0 && (l->w.ctl & W_REGULAR || whence == SEEK_END))
		ofd_learn(l->ofd, birth, r);
	audit_after(l, r >= 0 ? r : from, true);
	return r;
}

/* A take costs an fstat, in place of this lseek. */
static void count_take(struct look *l, int whence)
{
	count(C_take);
	l->ofd->backs++;
	if (whence == SEEK_END && !probes_by_fstat(l))
		count_pass(C_pass_lseek, R_unseeked);
	else
		would_answer(l, whence);
	if (l->w.ctl & W_SEEKED)
		ofd_seeks_again(true);
}

/* The lseek at which we would have taken the offset. */
long seek_take_audited(struct look *l, int64_t off, int whence)
{
	uint32_t birth = l->ofd->birth;
	bool refused = false, taken = false;
	uint64_t admitted;
	struct word new;
	long r;

	if (!look_enter(l))
		return lost();
	r = BARE(RAW3(SYS_lseek, l->fd, off, whence), real_lseek(l->fd, off, whence));
	/* Re-pointed meanwhile: the answer may be another file's. */
	if (r >= 0 && word_who(l->w) == 1 && !(l->slot & S_CHANGING) && look_holds(l)) {
		admitted = admit_ask(l, &refused);
		taken = admitted && !gate_forbids_takes();
		new = word_next(l->w, taken ? AUDITED : KERNEL, r, 0);
		new.ctl |= taken ? admitted : W_KNOWN | W_SEEKED;
		if (word_swap(&l->ofd->word, l->w, new)) {
			l->w.ctl |= admitted;
			if (taken)
				count_take(l, whence);
			else
				count_pass(C_pass_lseek, R_unseeked);
			if (admitted & W_REGULAR || whence == SEEK_END)
				ofd_learn(l->ofd, birth, r);
			if (refused)
				fd_hand_back(l->fd, R_fs, true);
			return r;
		}
	}
	count_pass(C_pass_lseek, R_unseeked);
	ofd_leave(l->ofd);
	return r;
}
