/* SPDX-License-Identifier: MIT */
/* Floor 2, state: waits for an offset, and its way to the kernel. */
#include "audit.h"
#include "flight.h"
#include <linux/futex.h>
#include <time.h>
#include <unistd.h>

/* ---- which offsets the kernel is known to accept ---- */

void ofd_learn(struct ofd *o, uint32_t birth, int64_t accepted)
{
	uint64_t limit = __atomic_load_n(&o->limit, __ATOMIC_RELAXED);
	uint64_t new = ((uint64_t)accepted & ~4095UL) | birth % 4096;

	if (accepted >= 0 && (limit % 4096 != birth % 4096 || limit < new))
		__atomic_store_n(&o->limit, new, __ATOMIC_RELAXED);
}

/* ---- waiting, as the kernel's lock would make a call wait ---- */

/* A vfork child asks for threads of its parent, and cannot. */
bool ofd_owner_lives(int tid)
{
	return tls.vfork_depth || tls.for_parent ||
	       RAW3(SYS_tgkill, RAW0(SYS_getpid), tid, 0) != -ESRCH;
}

/* The owner died between mark and settle: what it reserved stands. */
static void bury(struct ofd *o, struct word w)
{
	if (word_swap(&o->word, w, word_next(w, OURS, w.off, 0)))
		count(C_buried);
}

void ofd_wait(struct ofd *o, struct word w)
{
	const struct timespec slice = {0, 2 * 1000 * 1000};
	uint64_t ctl = w.ctl;
	uint32_t *low = (uint32_t *)&o->word.ctl;

	count(C_wait);
	for (int i = 0; i < SPINS; i++) {
		cpu_relax();
		if (__atomic_load_n(&o->word.ctl, __ATOMIC_ACQUIRE) != ctl)
			return;
	}
	if (!(ctl & W_WAITERS)) {
		if (!word_swap_ctl(&o->word, &ctl, ctl | W_WAITERS))
			return;
		w.ctl = ctl |= W_WAITERS;
	}
	if (RAW4(SYS_futex, low, FUTEX_WAIT_PRIVATE, (uint32_t)ctl, &slice) != -ETIMEDOUT)
		return;
	if (ofd_owner_lives(word_who(w)))
		flight_settle_for_owner(o, w);
	else
		bury(o, w);
}

void ofd_wake_waiters(struct ofd *o)
{
	RAW3(SYS_futex, (uint32_t *)&o->word.ctl, FUTEX_WAKE_PRIVATE, 0x7fffffff);
}

/* ---- to the kernel ---- */

static void gone(struct ofd *o, enum reason why)
{
	o->why = (uint8_t)why;
	count(C_gone + why);
}

/* The kernel holds it already; the count of its calls stays, they are still under way (W3). */
static bool let_go_of_kernels(struct ofd *o, struct word w, enum reason why)
{
	uint64_t ctl = w.ctl;
	uint64_t new = ((ctl & ~(W_STATE | W_KNOWN)) | GONE) + W_SEQ_ONE;

	if (!word_swap_ctl(&o->word, &ctl, new))
		return false;
	gone(o, why);
	return true;
}

/* Who has looked before hot.paused was raised must not take any more: his swap fails. */
static bool renew(struct look *l)
{
	uint64_t old = l->w.ctl;

	l->w.ctl += W_SEQ_ONE;
	return word_swap_ctl(&l->ofd->word, &old, l->w.ctl);
}

/* Replaces our mark.  Where it is there no more, the description was closed before others could see it. */
static void unmark(struct ofd *o, struct word mark, enum state state, uint64_t known)
{
	struct word old, new;

	do {
		old = word_load(&o->word);
		if (!word_has_mark(old, mark))
			return;
		new = word_next(old, state, old.off, 0);
		new.ctl |= known;
	} while (!word_swap(&o->word, old, new));
	ofd_wake(o, old);
}

/*
 * By one, and with all signals blocked: "real lseek, then swap" by two threads lets the second
 * lseek undo what a read did in between, and so would a signal handler's.
 */
static bool hand_over(struct look *l, enum reason why, bool for_good)
{
	struct ofd *o = l->ofd;
	sigmask_t mask = signals_block();
	struct word mark = word_next(l->w, HANDING, l->w.off, my_tid());
	long r;

	if (!word_swap(&o->word, l->w, mark)) {
		signals_restore(mask);
		return false;
	}
	/*
	 * A closer of this number waits for us from here on; was one faster, it may be another
	 * file.
	 */
	if (!look_holds_marked(l, mark)) {
		unmark(o, mark, OURS, 0);
		signals_restore(mask);
		return false;
	}
	HOOK("handback", l->fd);
	r = RAW3(SYS_lseek, l->fd, l->w.off, SEEK_SET);
	if (r != l->w.off) {
		why = R_failed;
		for_good = true;
	}
	unmark(o, mark, for_good ? GONE : KERNEL, for_good ? 0 : W_KNOWN);
	signals_restore(mask);
	count(C_back + why);
	if (for_good)
		gone(o, why);
	return true;
}

bool ofd_hand_back(struct look *l, enum reason why, bool for_good)
{
	struct ofd *o = l->ofd;

	switch (word_state(l->w)) {
	case WRITING:
	case HANDING:
		if (!word_is_mine(l->w)) {
			ofd_wait(o, l->w);
			return false;
		}
		flight_interrupted(l);
		return false;
	case OURS:
		if (!for_good && ++o->backs > 16 && o->saved / 4 < o->backs) {
			for_good = true;
			why = R_costs;
		}
		return hand_over(l, why, for_good);
	case KERNEL:
		return for_good ? let_go_of_kernels(o, l->w, why) : renew(l);
	case AUDITED:
		if (!audit_hand_back(l, why, for_good))
			return false;
		count(C_back + why);
		if (for_good)
			gone(o, why);
		return true;
	default:
		return true;
	}
}

void ofd_let_go_entered(struct ofd *o, enum reason why)
{
	struct word w;

	do {
		w = word_load(&o->word);
	} while (word_state(w) != GONE && !let_go_of_kernels(o, w, why));
}
