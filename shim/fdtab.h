/* SPDX-License-Identifier: MIT */
/*
 * Floor 2, state: the table from descriptor numbers to descriptions.
 *
 * A slot is one atomic word: a pointer to an ofd (64-byte aligned) and flags in its spare bits.
 *
 *   T1  A number becomes tracked only after the real call that made it, and only if its birth was
 *       seen.  A number without an entry is a stranger: every call on it is passed.
 *   T2  Each close of a tracked number marks its slot S_CLOSING before the real close, and empties it
 *       afterwards.  A call that meets the mark comes after the close: it waits, and answers EBADF.
 *   T3  S_STREAM counts the streams of libc on this number; while there is one, nothing that arrives
 *       on the number is tracked.  0, 1 and 2 are libc's for ever.
 *   T4  S_LATE: closed or re-pointed while a kernel call through it was under way.  That call may
 *       enter the kernel late and meet the next file of this number, so the number stays a
 *       stranger, and the old ofd is kept, until the count in its word is 0.
 *   T5  S_CHANGING: a dup2 onto this number is under way; the kernel holds both offsets.
 *   T6  A vfork child has a table of its own in the kernel, and ours in memory.  It leaves ours alone;
 *       the numbers that it closes or re-points are strangers to it (tls.changed), and what it reads,
 *       writes or seeks goes to the kernel for good.
 *
 * Doors: look() and fd_is_tracked(); fdtab_born, fdtab_shared, fdtab_close_*, fdtab_onto_* around
 * the calls that change numbers; fd_hand_back, fd_kernel_* around those that use f_pos.
 */
#ifndef FDTAB_H
#define FDTAB_H

#include "gate.h"

#define S_CLOSING 1UL
#define S_CHANGING 2UL
#define S_STREAM_ONE 4UL
#define S_STREAM (15UL * S_STREAM_ONE)
#define S_FLAGS 63UL
#define S_LATE (1UL << 63)

/* In a vfork child: it has closed or re-pointed this number of its parent's table. */
COLD void fd_set_changed(int fd);
/* There: 0 for such a number; for another the slot, once the kernel holds its offset for good. */
COLD uintptr_t fd_slot_in_vfork_child(int fd);

HOT uintptr_t fd_slot(int fd)
{
	if (unlikely((uint32_t)fd >= hot.size))
		return 0;
	if (unlikely(tls.vfork_depth))
		return fd_slot_in_vfork_child(fd);
	return __atomic_load_n(&hot.slot[fd], __ATOMIC_ACQUIRE);
}
/* Of a number that is known to be in the table. */
HOT uintptr_t slot_now(int fd)
{
	return __atomic_load_n(&hot.slot[fd], __ATOMIC_ACQUIRE);
}
HOT struct ofd *slot_ofd(uintptr_t s)
{
	return (struct ofd *)(s & ~(S_FLAGS | S_LATE));
}
/* S_LATE makes it negative, S_STREAM comes without a pointer. */
HOT bool slot_is_tracked(uintptr_t s)
{
	return (intptr_t)s > (intptr_t)S_FLAGS;
}
HOT bool fd_is_tracked(int fd)
{
	return slot_is_tracked(fd_slot(fd));
}

enum { TRACKED = 0, STRANGER = 1, AGAIN = 2 }; /* or -EBADF */

COLD int fdtab_meet_closing(int fd, uintptr_t slot);
/* In a handler: a read of this thread on o that it has interrupted is settled, or taken back. */
COLD void flight_settle_reads(struct ofd *o);

/*
 * Number, description and word that belong together.  The second look at the slot makes sure that
 * the word was this number's when it was loaded; a swap of it then proves the rest (W1).
 */
HOT int look_tracked(int fd, struct look *l) /* after fd_is_tracked */
{
	l->fd = fd;
	for (;;) {
		l->slot = slot_now(fd);
		if (!slot_is_tracked(l->slot))
			return STRANGER;
		if (unlikely(l->slot & S_CLOSING)) {
			int r = fdtab_meet_closing(fd, l->slot);

			if (r == AGAIN)
				continue;
			if (r != TRACKED)
				return r;
		}
		l->ofd = slot_ofd(l->slot);
		if (unlikely(tls.flight))
			flight_settle_reads(l->ofd);
		l->w = word_load(&l->ofd->word);
		if (likely(slot_now(fd) == l->slot))
			return TRACKED;
	}
}
HOT int look(int fd, struct look *l)
{
	return fd_is_tracked(fd) ? look_tracked(fd, l) : STRANGER;
}
HOT bool look_holds(const struct look *l)
{
	return likely(slot_now(l->fd) == l->slot);
}

/*
 * The same, after a mark has been set.  The mark is looked at last: if it is there, the description was
 * not freed in between, for another file on the same number, say, in whose slot it is again.
 */
HOT bool look_holds_marked(const struct look *l, struct word mark)
{
	return look_holds(l) && likely(word_has_mark(word_load(&l->ofd->word), mark));
}

/*
 * Counts a call that uses f_pos through the number that l found; ofd_leave ends it.  False:
 * something has changed, look again.
 */
HOT bool look_enter(struct look *l)
{
	if (!ofd_enter(l))
		return false;
	if (look_holds(l))
		return true;
	ofd_leave(l->ofd);
	return false;
}

/* fd lost its FD_CLOEXEC: a program that is being started may have got it. */
void fdtab_inheritable(int fd, struct gate_seen seen);

void fdtab_start(void);

/* After the real call that made fd, which is returned; seen is from before it. */
int fdtab_born(int fd, int flags, struct gate_seen seen);
/*
 * Around a real call that duplicates fd.  Meanwhile the kernel holds the offset, should it turn out
 * that nobody can say which description was caught, and the ofd serves no other file: as long as the
 * slot is the same, the description is.
 */
struct source {
	uintptr_t slot;
	struct ofd *kept, *held; /* a reference; entered */
	struct gate_seen seen;
};
int fdtab_source_begin(int fd, struct source *s); /* -EBADF: it is being closed */
void fdtab_source_end(const struct source *s);
/* In between: the call has made `new`. */
void fdtab_shared(int fd, const struct source *s, int new, bool cloexec);

/* Around the real close.  begin: -EBADF, or 0 and a ticket for end. */
int fdtab_close_begin(int fd, uintptr_t *ticket);
void fdtab_close_end(int fd, uintptr_t ticket);
void fdtab_close_undo(int fd, uintptr_t ticket); /* in the place of end: it was not closed */
COLD void fdtab_close_wait(int fd, uintptr_t ticket); /* the second half of begin */

/* Around a real call that closes many numbers: before it, and after it where it succeeded. */
void fdtab_forget(unsigned from, unsigned to);
void fdtab_forget_closed(unsigned from, unsigned to);

/* Around a real dup2 or dup3. */
struct onto {
	struct source from;
	uintptr_t to; /* slot before */
};
int fdtab_onto_begin(int fd, int to, struct onto *t); /* as fdtab_source_begin */
void fdtab_onto_end(int fd, int to, const struct onto *t, bool done, bool cloexec);

/* A stream of libc begins or ends its use of the number. */
void fdtab_stream(int fd);
void fdtab_unstream(int fd);

/* Bring the offset to the kernel; for good, or until somebody names a place again. */
void fd_hand_back(int fd, enum reason why, bool for_good);
void fdtab_let_go_all(enum reason why);
/* Only what a program started now would inherit (no FD_CLOEXEC). */
void fdtab_inherited_to_kernel(enum reason why, bool for_good);
/* In a process that was forked by a vfork child: nothing of the table is known to be ours. */
void fdtab_wipe(void);
/* Never track anything again in this process. */
void fdtab_retire(enum reason why);

/*
 * Brackets a call that uses f_pos in a way of its own.  begin hands the offset back and keeps
 * others from taking it; end undoes that.  -EBADF: the number is being closed.
 */
int fd_kernel_begin(int fd, enum reason why, struct ofd **held);
void fd_kernel_end(struct ofd *held);
/* In between: O_APPEND may have been set or cleared through fd. */
void fd_learn_append(int fd, struct ofd *held);

#endif
