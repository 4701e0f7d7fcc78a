/* SPDX-License-Identifier: MIT */
/*
 * slots.h - Reads or writes, slot after slot of a file, the last of which is left half way: by a
 * jump, a cancellation, the end of its thread.  The kernel has moved the offset exactly where it
 * has moved the data.
 */
#ifndef SLOTS_H
#define SLOTS_H

#include "row/row.h"

enum { SIZE = 512, SLOTS = 63 };
static volatile unsigned begun; /* calls of this round; number n is of slot (n - 1) % SLOTS */
static unsigned slot[SIZE / sizeof(unsigned)];

/* Before a round: slots to be read hold their numbers from 1 on, those to be written 0. */
static void slots_fill(int fd, int plain, int writes)
{
	for (unsigned i = 0; i < SLOTS; i++) {
		slot[0] = writes ? 0 : i + 1;
		CHECK(RAW(SYS_pwrite64, plain, slot, SIZE, i * SIZE) == SIZE);
	}
	slot[0] = 0;
	begun = 0;
	GIVES(lseek(fd, 0, SEEK_SET), 0);
}

/* Round and round, until somebody ends it. */
static void slots_use(int fd, int writes)
{
	for (;;) {
		if (writes)
			slot[0] = begun + 1;
		begun++;
		CHECK((writes ? write(fd, slot, SIZE) : read(fd, slot, SIZE)) == SIZE);
		if (begun % SLOTS == 0)
			CHECK(!lseek(fd, 0, SEEK_SET));
	}
}

/* Whether the last call had been made: of a read the buffer tells, of a write the file. */
static int slots_last_is_done(int plain, int writes)
{
	unsigned first;

	if (!writes)
		return slot[0] == (begun - 1) % SLOTS + 1;
	CHECK(RAW(SYS_pread64, plain, &first, sizeof(first), (begun - 1) % SLOTS * SIZE) ==
	      sizeof(first));
	return first == begun;
}

static void slots_check(const char *name, int fd, int plain, int writes)
{
	unsigned done, at;

	if (!begun)
		return;
	done = begun - 1 + (unsigned)slots_last_is_done(plain, writes);
	at = (unsigned)(lseek(fd, 0, SEEK_CUR) / SIZE);
	/* After a round's last call the way back may not have been gone yet. */
	if (at != done % SLOTS && !(at == SLOTS && done % SLOTS == 0))
		row_fail(__FILE__, __LINE__, "%s: %u calls begun, %u done, but the offset is %u",
			 name, begun, done, at);
}

#endif
