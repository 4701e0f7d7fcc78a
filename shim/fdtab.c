/* SPDX-License-Identifier: MIT */
/* Floor 2, state: births, deaths and changes of numbers. */
#include "audit.h"
#include "flight.h"
#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <time.h>

static bool slot_swap(int fd, uintptr_t old, uintptr_t new)
{
	return __atomic_compare_exchange_n(&hot.slot[fd], &old, new, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_RELAXED);
}
static bool is_open(int fd)
{
	return RAW2(SYS_fcntl, fd, F_GETFD) != -EBADF;
}
static bool in_table(int fd)
{
	return (uint32_t)fd < hot.size;
}

uintptr_t fd_slot_in_vfork_child(int fd)
{
	int depth = tls.vfork_depth;
	uintptr_t s;

	if (fd < TLS_NUMBERS && tls.changed[fd / 64] >> fd % 64 & 1)
		return 0;
	s = __atomic_load_n(&hot.slot[fd], __ATOMIC_ACQUIRE);
	if (!slot_is_tracked(s) || word_state(word_load(&slot_ofd(s)->word)) == GONE)
		return s;
	tls.vfork_depth = 0; /* the number is still the parent's, so for this it is as the parent's call */
	tls.for_parent = true;
	fd_hand_back(fd, R_vfork, true);
	tls.for_parent = false;
	tls.vfork_depth = depth;
	return __atomic_load_n(&hot.slot[fd], __ATOMIC_ACQUIRE);
}
/* Where there is no bit for it, the number's offset goes to the kernel for good instead. */
void fd_set_changed(int fd)
{
	if (fd >= TLS_NUMBERS)
		fd_hand_back(fd, R_vfork, true);
	else if (fd >= 0)
		tls.changed[fd / 64] |= 1UL << fd % 64;
}

void fdtab_wipe(void)
{
	for (uint32_t fd = 0; fd < hot.high; fd++)
		hot.slot[fd] &= S_STREAM;
}

void fdtab_start(void)
{
	for (int fd = 0; fd < 3; fd++)
		hot.slot[fd] = S_STREAM;
	__atomic_store_n(&hot.size, FDTAB_MAX, __ATOMIC_RELEASE);
}

/* ---- the gate: births while a process is being made ---- */

#define ADD(x, n) __atomic_add_fetch(&(x), (n), __ATOMIC_SEQ_CST)
#define GET(x) __atomic_load_n(&(x), __ATOMIC_SEQ_CST)

void gate_fork_begin(void)
{
	ADD(hot.forks_open, 1);
	ADD(hot.forks, 1);
	ADD(hot.paused, 1);
}
void gate_fork_end(void)
{
	ADD(hot.forks, 1);
	ADD(hot.forks_open, -1);
	ADD(hot.paused, -1);
}
void gate_spawn_begin(void)
{
	ADD(hot.spawns_open, 1);
	ADD(hot.spawns, 1);
}
void gate_spawn_end(void)
{
	ADD(hot.spawns, 1);
	ADD(hot.spawns_open, -1);
}
void gate_reset_in_child(void)
{
	hot.forks_open = hot.spawns_open = hot.paused = 0;
}
/* May a process that was made since `seen` share what was born since? */
HOT bool gate_was_open(struct gate_seen seen, bool cloexec)
{
	if (GET(hot.forks_open) || GET(hot.forks) != seen.forks)
		return true;
	return !cloexec && (GET(hot.spawns_open) || GET(hot.spawns) != seen.spawns);
}

/* ---- births ---- */

HOT void raise_high(int fd)
{
	uint32_t high = GET(hot.high);

	while (high <= (uint32_t)fd &&
	       !__atomic_compare_exchange_n(&hot.high, &high, (uint32_t)fd + 1, false,
					    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		;
}

/* What a late call (T4) still could meet? */
static bool has_late_calls(uintptr_t slot)
{
	struct ofd *o = slot_ofd(slot);

	return o && ofd_is_busy(word_load(&o->word));
}

/*
 * Makes fd refer to o (a reference passes to the slot), or to nothing.  False: the number stays a
 * stranger, and o is still the caller's.
 */
static bool slot_give(int fd, struct ofd *o)
{
	for (;;) {
		uintptr_t old = fd_slot(fd);

		if (old & S_STREAM)
			return false;
		if (old & (S_LATE | S_CLOSING) && has_late_calls(old))
			return false;
		if (!old && !o)
			return true;
		if (o)
			raise_high(fd);
		if (!slot_swap(fd, old, (uintptr_t)o))
			continue;
		/* A number that died unseen or is being closed, or a late one that is late no more. */
		if (slot_ofd(old))
			ofd_drop(slot_ofd(old));
		return true;
	}
}

OFTEN void fdtab_born(int fd, int flags, struct gate_seen seen)
{
	struct ofd *o;

	if ((uint32_t)fd >= hot.size)
		return;
	if (unlikely(tls.vfork_depth)) {
		if (fd < TLS_NUMBERS)
			fd_set_changed(fd); /* in the parent's table it is something else */
		return;
	}
	o = flags & (O_PATH | O_DIRECTORY) ? NULL : ofd_new(flags & O_APPEND);
	if (!o) {
		slot_give(fd, NULL);
		return;
	}
	raise_high(fd);
	if (unlikely(!slot_swap(fd, 0, (uintptr_t)o) && !slot_give(fd, o))) {
		ofd_drop(o);
		return;
	}
	count(C_born);
	if (unlikely(gate_was_open(seen, flags & O_CLOEXEC)))
		fd_hand_back(fd, R_fork, true);
}

/* Which description a racing dup has caught cannot be known any more. */
static COLD void uncertain(int new)
{
	if (in_table(new))
		slot_give(new, NULL);
	fdtab_let_go_all(R_dup);
}

/* found: what the slot of `new` must still hold, where another thread may know that number. */
static void shared(int fd, uintptr_t before, int new, const uintptr_t *found, bool cloexec,
		   struct gate_seen seen)
{
	struct ofd *o = slot_ofd(before);

	if (fd_slot(fd) != before || before & (S_CHANGING | S_CLOSING)) {
		uncertain(new);
		return;
	}
	if (!slot_is_tracked(before)) {
		if (in_table(new))
			slot_give(new, NULL);
		return;
	}
	if (!ofd_get(o)) {
		uncertain(new);
		return;
	}
	if (in_table(new) && found && !(*found & (S_STREAM | S_LATE))) {
		raise_high(new);
		if (!slot_swap(new, *found, (uintptr_t)o)) {
			ofd_drop(o);
			uncertain(new);
			return;
		}
		if (gate_was_open(seen, cloexec))
			fd_hand_back(new, R_fork, true);
	} else if (!in_table(new) || !slot_give(new, o)) {
		ofd_drop(o);
		fd_hand_back(fd, R_number, true);
	} else if (gate_was_open(seen, cloexec)) {
		fd_hand_back(new, R_fork, true);
	}
	if (fd_slot(fd) != before)
		uncertain(new);
}

void fdtab_shared(int fd, uintptr_t before, int new, bool cloexec, struct gate_seen seen)
{
	shared(fd, before, new, NULL, cloexec, seen);
}

void fdtab_inheritable(int fd, struct gate_seen seen)
{
	if (gate_was_open(seen, false))
		fd_hand_back(fd, R_spawn, true);
}

/* ---- deaths ---- */

/*
 * A call on a number that is being closed comes after the close: it waits until the number is free,
 * and answers EBADF.  The number may already be something else's, given to it by a call that we do not
 * see (socket, accept, fopen), while the closer has not come back: then the call is passed.
 */
int fdtab_meet_closing(int fd, uintptr_t slot)
{
	const struct timespec half_ms = {0, 500000};
	struct ofd *o = slot_ofd(slot);
	struct stat st;

	for (int i = 0; i < 2000; i++) {
		if (RAW2(SYS_fstat, fd, &st) == -EBADF)
			return fd_slot(fd) == slot ? -EBADF : AGAIN;
		if (!S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode))
			return fd_slot(fd) == slot ? STRANGER : AGAIN;
		if (__atomic_load_n(&o->closer, __ATOMIC_RELAXED) == my_tid())
			return TRACKED; /* a handler of the closer, before the real close */
		if (i < 100)
			RAW0(SYS_sched_yield);
		else
			RAW2(SYS_nanosleep, &half_ms, NULL);
		if (fd_slot(fd) != slot)
			return AGAIN;
		if (i == 100 && !ofd_owner_lives(o->closer)) /* cancelled in close, before it was done */
			return slot_swap(fd, slot, slot & ~S_CLOSING), AGAIN;
	}
	return -EBADF; /* the closer has been jumped out of */
}

/*
 * Takes the number out of the table: who swaps a pointer out of a slot drops its reference.  The slot
 * first, then the count of calls: who counts, looks at the slot again.
 */
OFTEN static bool empty_slot(int fd, uintptr_t from)
{
	if (!slot_swap(fd, from, 0))
		return false;
	if (!has_late_calls(from) || !slot_swap(fd, 0, (uintptr_t)slot_ofd(from) | S_LATE))
		ofd_drop(slot_ofd(from));
	return true;
}

OFTEN int fdtab_close_begin(int fd, uintptr_t *ticket)
{
	struct look l;

	*ticket = 0;
	do {
		int r = look(fd, &l);

		if (unlikely(r))
			return r < 0 ? r : 0;
		while (unlikely(word_state(l.w) == WRITING && word_is_mine(l.w))) {
			flight_interrupted(&l);
			l.w = word_load(&l.ofd->word);
		}
		__atomic_store_n(&l.ofd->closer, my_tid(), __ATOMIC_RELAXED);
	} while (unlikely(!slot_swap(fd, l.slot, l.slot | S_CLOSING)));
	/* A positioned write through this number must not meet the number's next file. */
	for (l.w = word_load(&l.ofd->word); unlikely(word_is_marked(l.w));
	     l.w = word_load(&l.ofd->word))
		ofd_wait(l.ofd, l.w);
	if (unlikely(word_state(l.w) == AUDITED)) {
		l.slot |= S_CLOSING;
		audit_compare(&l, "at close");
		l.slot &= ~S_CLOSING;
	}
	*ticket = l.slot | S_CLOSING;
	return 0;
}

OFTEN void fdtab_close_end(int fd, uintptr_t ticket)
{
	if (ticket && empty_slot(fd, ticket))
		return;
	/* Something new on the number.  Did it come before our real close, which has closed it too? */
	for (;;) {
		uintptr_t now = fd_slot(fd);

		if (now == S_CHANGING)
			slot_swap(fd, now, 0); /* a dup2 onto it is ending */
		if (!slot_is_tracked(now) || now & S_CLOSING || is_open(fd) || empty_slot(fd, now))
			return;
	}
}

static bool is_shared(int fd)
{
	struct look l;

	return !look(fd, &l) && GET(l.ofd->refs) > 1;
}

/*
 * Many numbers at once: each offset goes to the kernel and its number becomes a stranger, which is
 * right whether the real call closes it or fails.
 */
void fdtab_forget(unsigned from, unsigned to)
{
	uintptr_t ticket;

	ADD(hot.paused, 1);
	for (unsigned fd = from; fd <= to && fd < GET(hot.high); fd++) {
		if (!fd_is_tracked((int)fd))
			continue;
		/* For good where a dup stays: this number moves its offset up to the real call. */
		fd_hand_back((int)fd, R_dup, is_shared((int)fd));
		if (!fdtab_close_begin((int)fd, &ticket))
			fdtab_close_end((int)fd, ticket);
	}
	ADD(hot.paused, -1);
}

/* What was born between forget and the real call has died in it. */
void fdtab_forget_closed(unsigned from, unsigned to)
{
	uintptr_t ticket;

	for (unsigned fd = from; fd <= to && fd < GET(hot.high); fd++)
		if (fd_is_tracked((int)fd) && !is_open((int)fd) &&
		    !fdtab_close_begin((int)fd, &ticket))
			fdtab_close_end((int)fd, ticket);
}

/* ---- dup2 ---- */

/*
 * While the number changes hands the kernel holds both offsets, and nobody takes: a call on `to`
 * gets the old description or the new one, just as the kernel decides.
 */
void fdtab_onto_begin(int fd, int to, struct onto *t)
{
	ADD(hot.paused, 1);
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
		bool unseen = !in_table(to) || t->to & (S_STREAM | S_LATE) ||
			      (!slot_is_tracked(t->to) && is_open(to));

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
			uncertain(to); /* closed or re-pointed by another thread meanwhile */
			return;
		}
		if (has_late_calls(t->to)) {
			fd_hand_back(fd, R_late, true);
			if (slot_swap(to, found, (uintptr_t)old | S_LATE))
				return;
		}
		ofd_drop(old);
	}
	shared(fd, t->from, to, &found, cloexec, t->seen);
}

void fdtab_onto_end(int fd, int to, const struct onto *t, bool done, bool cloexec)
{
	if (done)
		onto_done(fd, to, t, cloexec);
	else if (slot_is_tracked(t->to))
		slot_swap(to, t->to | S_CHANGING, t->to);
	fd_kernel_end(t->held);
	ADD(hot.paused, -1);
}

/* ---- streams ---- */

void fdtab_stream(int fd)
{
	if (!in_table(fd))
		return;
	for (;;) {
		uintptr_t old = fd_slot(fd);
		uintptr_t n = old & S_STREAM;

		if (n < S_STREAM)
			n += S_STREAM_ONE;
		if (!slot_swap(fd, old, n))
			continue;
		if (slot_ofd(old))
			ofd_drop(slot_ofd(old));
		return;
	}
}

void fdtab_unstream(int fd)
{
	uintptr_t old;

	if (!in_table(fd))
		return;
	do {
		old = fd_slot(fd);
		if (!(old & S_STREAM) || (old & S_STREAM) == S_STREAM)
			return;
	} while (!slot_swap(fd, old, old - S_STREAM_ONE));
}

/* ---- to the kernel ---- */

/*
 * A number that is being closed is open until its closer comes back, and a child can inherit it: wait
 * for the closer, unless it is the frame that we interrupted, or waits for one.
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
	while (is_open(fd) && look_holds(&l) && !ofd_hand_back(&l, why, for_good))
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
	for (uint32_t fd = 0; fd < GET(hot.high); fd++)
		fd_hand_back((int)fd, why, true);
}

void fdtab_inherited_to_kernel(enum reason why, bool for_good)
{
	for (uint32_t fd = 0; fd < GET(hot.high); fd++)
		if (fd_is_tracked((int)fd) && !(RAW2(SYS_fcntl, fd, F_GETFD) & FD_CLOEXEC))
			fd_hand_back((int)fd, why, for_good);
}

void fdtab_retire(enum reason why)
{
	if (!hot.size)
		return;
	ADD(hot.paused, 1); /* for ever */
	gate_fork_begin();  /* what is born from now on is let go at birth */
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
		if (!ofd_hand_back(&l, why, false))
			continue;
		if (word_state(l.w) == GONE)
			return 0;
		if (word_state(l.w) != KERNEL || !ofd_enter(&l))
			continue;
		if (look_holds(&l)) {
			*held = l.ofd;
			return 0;
		}
		ofd_leave(l.ofd);
	}
}

void fd_kernel_end(struct ofd *held)
{
	if (held)
		ofd_leave(held);
}
