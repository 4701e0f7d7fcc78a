/* SPDX-License-Identifier: MIT */
/* Floor 2, state: a number that gets another description while it is open (dup2, dup3). */
#include "slot.h"

/* A reference to what the number is; false: it has changed. */
static bool keep(int fd, struct source *s)
{
	struct ofd *o = slot_ofd(s->slot);

	if (!ofd_get(o))
		return false;
	if (fd_slot(fd) == s->slot) {
		s->kept = o;
		return true;
	}
	ofd_drop(o);
	return false;
}

int fdtab_source_begin(int fd, struct source *s)
{
	s->seen = gate_seen();
	for (;;) {
		s->kept = s->held = NULL;
		s->slot = fd_slot(fd);
		if (!slot_is_tracked(s->slot))
			return 0;
		if (!keep(fd, s))
			continue;
		if (fd_kernel_begin(fd, R_dup, &s->held)) {
			ofd_drop(s->kept);
			return -EBADF;
		}
		if (!s->held || s->held == s->kept)
			return 0;
		fdtab_source_end(s);
	}
}
void fdtab_source_end(const struct source *s)
{
	fd_kernel_end(s->held);
	if (s->kept)
		ofd_drop(s->kept);
}

/* Where libc may be at work on the number, or its description is another that we have not seen. */
static bool is_unseen(int to, uintptr_t slot)
{
	return !fd_is_in_table(to) || slot & (S_STREAM | S_LATE) ||
	       (!slot_is_tracked(slot) && fd_is_open(to));
}

/*
 * While the number changes hands the kernel holds both offsets, and nobody takes: a call on `to`
 * gets the old description or the new one, just as the kernel decides.
 */
int fdtab_onto_begin(int fd, int to, struct onto *t)
{
	hot_add(&hot.paused, 1);
	do {
		fd_hand_back(to, R_dup, false);
		t->to = fd_slot(to);
		if (t->to & S_CLOSING) /* still: by the frame that this handler interrupted */
			t->to = 0;
	} while (slot_is_tracked(t->to) && !slot_swap(to, t->to, t->to | S_CHANGING));
	if (fdtab_source_begin(fd, &t->from)) {
		t->from = (struct source){0};
		fdtab_onto_end(fd, to, t, false, false);
		return -EBADF;
	}
	if (t->from.kept && is_unseen(to, t->to))
		fd_hand_back(fd, R_number, true);
	return 0;
}

static void onto_done(int fd, int to, const struct onto *t, bool cloexec)
{
	struct ofd *old = slot_ofd(t->to), *new = t->from.kept;
	uintptr_t found = t->to;

	if (slot_is_tracked(t->to)) {
		/*
		 * Not 0: who closes the number now, or gets it, must be noticed.  And not without the new
		 * description: a call in between would be a stranger's, and come to the kernel when it likes.
		 */
		found = (uintptr_t)new | S_CHANGING;
		if (new)
			ofd_get(new);
		if (!slot_swap(to, t->to | S_CHANGING, found)) {
			if (new)
				ofd_drop(new);
			fdtab_lose_track(to); /* closed or re-pointed by another thread meanwhile */
			return;
		}
		HOOK("onto", to);
		/* Calls on what has been let go are not counted; those of other threads may be late. */
		if (word_state(word_load(&old->word)) == GONE && count_threads() > 1)
			fd_hand_back(fd, R_late, true);
		if (slot_has_late_calls(t->to)) {
			fd_hand_back(fd, R_late, true);
			if (slot_swap(to, found, (uintptr_t)old | S_LATE)) {
				if (new)
					ofd_drop(new);
				return;
			}
		}
		ofd_drop(old);
	}
	fdtab_join(fd, &t->from, to, &found, cloexec);
}

void fdtab_onto_end(int fd, int to, const struct onto *t, bool done, bool cloexec)
{
	if (done)
		onto_done(fd, to, t, cloexec);
	else if (slot_is_tracked(t->to))
		slot_swap(to, t->to | S_CHANGING, t->to);
	fdtab_source_end(&t->from);
	hot_add(&hot.paused, -1);
}
