/* SPDX-License-Identifier: MIT */
/* Floor 2, state: offsets on their way to the kernel, by number. */
#include "slot.h"

/*
 * A number that is being closed is open until its closer comes back, and a child can inherit it:
 * wait for the closer, unless it is the frame that we interrupted, or waits for one.
 */
static COLD bool hand_back_closing(int fd, uintptr_t slot, enum reason why, bool for_good)
{
	struct look l = {fd, slot, slot_ofd(slot), word_load(&slot_ofd(slot)->word)};
	bool waits_for_us = word_state(l.w) == WRITING && word_is_mine(l.w);

	if (word_state(l.w) == KERNEL || word_state(l.w) == GONE)
		return ofd_hand_back(&l, why, for_good);
	if (!waits_for_us && __atomic_load_n(&l.ofd->closer, __ATOMIC_RELAXED) != my_tid()) {
		RAW0(SYS_sched_yield);
		return false;
	}
	while (fd_is_open(fd) && look_holds(&l) && !ofd_hand_back(&l, why, for_good))
		l.w = word_load(&l.ofd->word);
	return true;
}

void fd_hand_back(int fd, enum reason why, bool for_good)
{
	struct look l;
	uintptr_t slot;

	for (int waits = 0; waits < 100000;) {
		slot = fd_slot(fd);
		if (slot_is_tracked(slot) && slot & S_CLOSING) {
			if (hand_back_closing(fd, slot, why, for_good))
				return;
			waits++;
		} else if (look(fd, &l) != TRACKED || ofd_hand_back(&l, why, for_good)) {
			return;
		}
	}
}

void fdtab_let_go_all(enum reason why)
{
	for (uint32_t fd = 0; fd < hot_get(&hot.high); fd++)
		fd_hand_back((int)fd, why, true);
}

/* Where the kernel does not say, it may be so. */
static bool is_inherited(int fd)
{
	long flags = RAW2(SYS_fcntl, fd, F_GETFD);

	return flags < 0 ? flags != -EBADF : !(flags & FD_CLOEXEC);
}

void fdtab_inherited_to_kernel(enum reason why, bool for_good)
{
	for (uint32_t fd = 0; fd < hot_get(&hot.high); fd++)
		if (fd_is_tracked((int)fd) && is_inherited((int)fd))
			fd_hand_back((int)fd, why, for_good);
}

void fdtab_retire(enum reason why)
{
	if (!hot.size)
		return;
	hot_add(&hot.paused, 1); /* for ever */
	gate_fork_begin();	 /* what is born from now on is let go at birth */
	fdtab_let_go_all(why);
	__atomic_store_n(&hot.size, 0, __ATOMIC_SEQ_CST);
	count(C_gone + why);
}

int fd_kernel_begin(int fd, enum reason why, struct ofd **held)
{
	struct look l;
	int r;

	for (*held = NULL;;) {
		r = look(fd, &l);
		if (r)
			return r < 0 ? r : 0;
		/* One swap: two that renewed first and counted then could undo each other's for ever. */
		if (word_state(l.w) != KERNEL && !ofd_hand_back(&l, why, false))
			continue;
		if (word_state(l.w) == GONE)
			return 0;
		if (word_state(l.w) == KERNEL && look_enter(&l)) {
			*held = l.ofd;
			return 0;
		}
	}
}

void fd_kernel_end(struct ofd *held)
{
	if (held)
		ofd_leave(held);
}

/*
 * Another thread's F_SETFL may have come between ours and here: the kernel is asked, and the answer
 * counts if the word is as it was before the question.  So the last to write it has the last answer.
 */
void fd_learn_append(int fd, struct ofd *held)
{
	uint64_t ctl, new;

	do {
		long flags;

		ctl = __atomic_load_n(&held->word.ctl, __ATOMIC_ACQUIRE);
		flags = RAW2(SYS_fcntl, fd, F_GETFL);
		if (flags < 0 || fd_slot(fd) != (uintptr_t)held) { /* another's number by now? */
			ofd_let_go_entered(held, R_flags);
			return;
		}
		new = ((ctl & ~W_APPEND) | (flags & O_APPEND ? W_APPEND : 0)) + W_SEQ_ONE;
	} while (!word_swap_ctl(&held->word, &ctl, new));
}
