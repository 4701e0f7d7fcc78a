/* SPDX-License-Identifier: MIT */
/*
 * Floor 2, state: how a slot of the table changes hands.  For the files of the table only
 * (fdtab*.c).
 */
#ifndef SLOT_H
#define SLOT_H

#include "fdtab.h"
#include <fcntl.h>

HOT bool slot_swap(int fd, uintptr_t old, uintptr_t new)
{
	return __atomic_compare_exchange_n(&hot.slot[fd], &old, new, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_RELAXED);
}
static inline bool fd_is_open(int fd)
{
	return RAW2(SYS_fcntl, fd, F_GETFD) != -EBADF;
}
static inline bool fd_is_in_table(int fd)
{
	return (uint32_t)fd < hot.size;
}

/* What a late call (T4) still could meet? */
static inline bool slot_has_late_calls(uintptr_t slot)
{
	struct ofd *o = slot_ofd(slot);

	return o && ofd_is_busy(word_load(&o->word));
}

/*
 * Makes fd refer to o (a reference passes to the slot), or to nothing.  False: the number stays a
 * stranger, and o is still the caller's.
 */
bool slot_give(int fd, struct ofd *o);

/*
 * After the real call that made `new` a duplicate of fd.  found: what the slot of `new` must still
 * hold, where another thread may know that number; else NULL.
 */
void fdtab_join(int fd, const struct source *from, int new, const uintptr_t *found, bool cloexec);
/* Which description a racing dup has caught cannot be known any more. */
COLD void fdtab_lose_track(int new);

#endif
