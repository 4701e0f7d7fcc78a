/* SPDX-License-Identifier: MIT */
/* Floor 2, state: a number that gets another description while it is open (dup2, dup3). */
#include "slot.h"

/*
 * While the number changes hands the kernel holds both offsets, and nobody takes: a call on `to`
 * gets the old description or the new one, just as the kernel decides.
 */
void fdtab_onto_begin(int fd, int to, struct onto *t)
{
	hot_add(&hot.paused, 1);
	t->seen = gate_seen();
	do {
		fd_hand_back(to, R_dup, false);
		t->to = fd_slot(to);
		if (t->to & S_CLOSING) /* still: by the frame that this handler interrupted */
			t->to = 0;
	} while (slot_is_tracked(t->to) && !slot_swap(to, t->to, t->to | S_CHANGING));
	t->held = NULL;
	t->from = fd_slot(fd);
	if (slot_is_tracked(t->from)) {
		bool unseen = !fd_is_in_table(to) || t->to & (S_STREAM | S_LATE) ||
			      (!slot_is_tracked(t->to) && fd_is_open(to));

		if (unseen)
			fd_hand_back(fd, R_number, true);
		else
			fd_kernel_begin(fd, R_dup, &t->held);
	}
}

static void onto_done(int fd, int to, const struct onto *t, bool cloexec)
{
	struct ofd *old = slot_ofd(t->to);
	uintptr_t found = t->to;

	if (slot_is_tracked(t->to)) {
		found = S_CHANGING; /* not 0: who closes the number now, or gets it, must be noticed */
		if (!slot_swap(to, t->to | S_CHANGING, found)) {
			fdtab_lose_track(to); /* closed or re-pointed by another thread meanwhile */
			return;
		}
		if (slot_has_late_calls(t->to)) {
			fd_hand_back(fd, R_late, true);
			if (slot_swap(to, found, (uintptr_t)old | S_LATE))
				return;
		}
		ofd_drop(old);
	}
	fdtab_join(fd, t->from, to, &found, cloexec, t->seen);
}

void fdtab_onto_end(int fd, int to, const struct onto *t, bool done, bool cloexec)
{
	if (done)
		onto_done(fd, to, t, cloexec);
	else if (slot_is_tracked(t->to))
		slot_swap(to, t->to | S_CHANGING, t->to);
	fd_kernel_end(t->held);
	hot_add(&hot.paused, -1);
}
