/* SPDX-License-Identifier: MIT */
/*
 * Floor 2, state: numbers that get a description: births, duplicates, and what streams keep us
 * from.
 */
#include "slot.h"

uintptr_t fd_slot_in_vfork_child(int fd)
{
	int depth = tls.vfork_depth;
	uintptr_t s;

	if (fd < TLS_NUMBERS && tls.changed[fd / 64] >> fd % 64 & 1)
		return 0;
	s = __atomic_load_n(&hot.slot[fd], __ATOMIC_ACQUIRE);
	if (!slot_is_tracked(s) || word_state(word_load(&slot_ofd(s)->word)) == GONE)
		return s;
	/* The number is still the parent's, so for this it is as the parent's call. */
	tls.vfork_depth = 0;
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

/* ---- births ---- */

HOT void raise_high(int fd)
{
	uint32_t high = hot_get(&hot.high);

	while (high <= (uint32_t)fd &&
	       !__atomic_compare_exchange_n(&hot.high, &high, (uint32_t)fd + 1, false,
					    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		;
}

bool slot_give(int fd, struct ofd *o)
{
	for (;;) {
		uintptr_t old = fd_slot(fd);

		if (old & S_STREAM)
			return false;
		if (old & (S_LATE | S_CLOSING) && slot_has_late_calls(old))
			return false;
		if (!old && !o)
			return true;
		if (o)
			raise_high(fd);
		if (!slot_swap(fd, old, (uintptr_t)o))
			continue;
		/*
		 * A number that died unseen or is being closed, or a late one that is late no more.
		 */
		if (slot_ofd(old))
			ofd_drop(slot_ofd(old));
		return true;
	}
}

static int born_as(int fd, struct ofd *o, int flags, struct gate_seen seen)
{
	raise_high(fd);
	if (!slot_swap(fd, 0, (uintptr_t)o) && !slot_give(fd, o)) {
		ofd_drop(o);
		return fd;
	}
	count(C_born);
	if (gate_was_open(seen, flags & O_CLOEXEC))
		fd_hand_back(fd, R_fork, true);
	return fd;
}
static COLD int born_unusual(int fd, int flags, struct gate_seen seen)
{
	struct ofd *o;

	if ((uint32_t)fd >= hot.size)
		return fd;
	if (tls.vfork_depth) {
		if (fd < TLS_NUMBERS)
			fd_set_changed(fd); /* in the parent's table it is something else */
		return fd;
	}
	o = flags & (O_PATH | O_DIRECTORY) ? NULL : ofd_new(flags & O_APPEND);
	if (o)
		return born_as(fd, o, flags, seen);
	slot_give(fd, NULL);
	return fd;
}
static COLD int born_shared(int fd)
{
	fd_hand_back(fd, R_fork, true);
	return fd;
}

/* Short, and without a frame, where all is as usual. */
OFTEN int fdtab_born(int fd, int flags, struct gate_seen seen)
{
	struct block *b = tls.block;
	struct ofd *o;

	if (unlikely((uint32_t)fd >= hot.size) || unlikely((uint32_t)fd >= hot.high) ||
	    unlikely(!b) || unlikely(tls.vfork_depth) || unlikely(flags & (O_PATH | O_DIRECTORY)) ||
	    unlikely(!(o = spare_take(b))))
		return born_unusual(fd, flags, seen);
	ofd_renew_spare(o, flags & O_APPEND);
	if (unlikely(!slot_swap(fd, 0, (uintptr_t)o)))
		return born_as(fd, o, flags, seen);
	count_in(b, C_born);
	if (unlikely(gate_was_open(seen, flags & O_CLOEXEC)))
		return born_shared(fd);
	return fd;
}

void fdtab_lose_track(int new)
{
	if (fd_is_in_table(new))
		slot_give(new, NULL);
	fdtab_let_go_all(R_dup);
}

void fdtab_join(int fd, const struct source *from, int new, const uintptr_t *found, bool cloexec)
{
	struct ofd *o = from->kept;

	if (fd_slot(fd) != from->slot || from->slot & (S_CHANGING | S_CLOSING)) {
		fdtab_lose_track(new);
		return;
	}
	if (!o) {
		if (fd_is_in_table(new))
			slot_give(new, NULL);
		return;
	}
	ofd_get(o); /* one more than `from` has, so it is not free */
	if (fd_is_in_table(new) && found && !(*found & (S_STREAM | S_LATE))) {
		raise_high(new);
		if (!slot_swap(new, *found, (uintptr_t)o)) {
			ofd_drop(o);
			fdtab_lose_track(new);
			return;
		}
		if (slot_ofd(*found))
			ofd_drop(slot_ofd(*found));
		if (gate_was_open(from->seen, cloexec))
			fd_hand_back(new, R_fork, true);
	} else if (!fd_is_in_table(new) || !slot_give(new, o)) {
		ofd_drop(o);
		fd_hand_back(fd, R_number, true);
	} else if (gate_was_open(from->seen, cloexec)) {
		fd_hand_back(new, R_fork, true);
	}
}

void fdtab_shared(int fd, const struct source *s, int new, bool cloexec)
{
	fdtab_join(fd, s, new, NULL, cloexec);
}

void fdtab_inheritable(int fd, struct gate_seen seen)
{
	if (gate_was_open(seen, false))
		fd_hand_back(fd, R_spawn, true);
}

/* ---- streams ---- */

void fdtab_stream(int fd)
{
	if (!fd_is_in_table(fd))
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

	if (!fd_is_in_table(fd))
		return;
	do {
		old = fd_slot(fd);
		if (!(old & S_STREAM) || (old & S_STREAM) == S_STREAM)
			return;
	} while (!slot_swap(fd, old, old - S_STREAM_ONE));
}
