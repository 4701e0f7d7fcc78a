/* SPDX-License-Identifier: MIT */
/* Floor 2, state: numbers that lose their description. */
#include "audit.h"
#include "flight.h"
#include "slot.h"
#include <sched.h>
#include <sys/stat.h>
#include <time.h>

/*
 * The closer waits for marks: one that a handler of this thread has interrupted must not wait for the
 * closer in turn.
 */
static void settle_own(int fd, uintptr_t slot)
{
	struct look l = {.fd = fd, .slot = slot, .ofd = slot_ofd(slot)};

	l.w = word_load(&l.ofd->word);
	if (word_state(l.w) == WRITING && word_is_mine(l.w))
		flight_interrupted(&l);
}

/*
 * A call on a number that is being closed comes after the close: it waits until the number is free,
 * and answers EBADF.  The number may already be something else's, given to it by a call that we do
 * not see (socket, accept, fopen), while the closer has not come back: then the call is passed.
 */
int fdtab_meet_closing(int fd, uintptr_t slot)
{
	const struct timespec half_ms = {0, 500000};
	struct ofd *o = slot_ofd(slot);
	struct stat st;

	settle_own(fd, slot);
	for (int i = 0; i < 2000; i++) {
		long r = RAW2(SYS_fstat, fd, &st);

		if (r == -EBADF)
			return fd_slot(fd) == slot ? -EBADF : AGAIN;
		if (!r && !S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode))
			return fd_slot(fd) == slot ? STRANGER : AGAIN;
		if (__atomic_load_n(&o->closer, __ATOMIC_RELAXED) == my_tid())
			return TRACKED; /* a handler of the closer, before the real close */
		if (i < 100)
			RAW0(SYS_sched_yield);
		else
			RAW2(SYS_nanosleep, &half_ms, NULL);
		if (fd_slot(fd) != slot)
			return AGAIN;
		/* Cancelled in close, before it was done? */
		if (i == 100 && !ofd_owner_lives(o->closer))
			return slot_swap(fd, slot, slot & ~S_CLOSING), AGAIN;
	}
	/* The closer has been jumped out of, before the number was closed. */
	return slot_swap(fd, slot, slot & ~S_CLOSING), AGAIN;
}

/*
 * Takes the number out of the table: who swaps a pointer out of a slot drops its reference.  The
 * slot first, then the count of calls: who counts, looks at the slot again.
 */
HOT bool empty_slot(int fd, uintptr_t from)
{
	if (!slot_swap(fd, from, 0))
		return false;
	if (!slot_has_late_calls(from) || !slot_swap(fd, 0, (uintptr_t)slot_ofd(from) | S_LATE))
		ofd_drop(slot_ofd(from));
	return true;
}

/* A positioned write through this number must not meet the number's next file. */
void fdtab_close_wait(int fd, uintptr_t ticket)
{
	struct look l = {.fd = fd, .slot = ticket, .ofd = slot_ofd(ticket)};

	for (l.w = word_load(&l.ofd->word); word_is_marked(l.w); l.w = word_load(&l.ofd->word))
		ofd_wait(l.ofd, l.w);
	if (word_state(l.w) == AUDITED)
		audit_close(&l);
}

int fdtab_close_begin(int fd, uintptr_t *ticket)
{
	struct look l;

	*ticket = 0;
	do {
		int r = look_tracked(fd, &l);

		if (r)
			return r < 0 ? r : 0;
		while (word_state(l.w) == WRITING && word_is_mine(l.w)) {
			flight_interrupted(&l);
			l.w = word_load(&l.ofd->word);
		}
		__atomic_store_n(&l.ofd->closer, my_tid(), __ATOMIC_RELAXED);
	} while (!slot_swap(fd, l.slot, l.slot | S_CLOSING));
	*ticket = l.slot | S_CLOSING;
	fdtab_close_wait(fd, *ticket);
	return 0;
}

void fdtab_close_undo(int fd, uintptr_t ticket)
{
	slot_swap(fd, ticket, ticket & ~S_CLOSING);
}

void fdtab_close_end(int fd, uintptr_t ticket)
{
	if (ticket && empty_slot(fd, ticket))
		return;
	/*
	 * Something new on the number.  Did it come before our real close, which has closed it too?
	 */
	for (;;) {
		uintptr_t now = fd_slot(fd);

		if (now == S_CHANGING)
			slot_swap(fd, now, 0); /* a dup2 onto it is ending */
		if (!slot_is_tracked(now) || now & S_CLOSING || fd_is_open(fd) ||
		    empty_slot(fd, now))
			return;
	}
}

static bool is_shared(int fd)
{
	struct look l;

	return !look(fd, &l) && hot_get(&l.ofd->refs) > 1;
}

/*
 * Many numbers at once: each offset goes to the kernel and its number becomes a stranger, which is
 * right whether the real call closes it or fails.
 */
void fdtab_forget(unsigned from, unsigned to)
{
	uintptr_t ticket;

	hot_add(&hot.paused, 1);
	for (unsigned fd = from; fd <= to && fd < hot_get(&hot.high); fd++) {
		if (!fd_is_tracked((int)fd))
			continue;
		/* For good where a dup stays: this number moves its offset up to the real call. */
		fd_hand_back((int)fd, R_dup, is_shared((int)fd));
		if (!fdtab_close_begin((int)fd, &ticket))
			fdtab_close_end((int)fd, ticket);
	}
	hot_add(&hot.paused, -1);
}

/* What was born between forget and the real call has died in it. */
void fdtab_forget_closed(unsigned from, unsigned to)
{
	uintptr_t ticket;

	for (unsigned fd = from; fd <= to && fd < hot_get(&hot.high); fd++)
		if (fd_is_tracked((int)fd) && !fd_is_open((int)fd) &&
		    !fdtab_close_begin((int)fd, &ticket))
			fdtab_close_end((int)fd, ticket);
}
