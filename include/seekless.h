/* SPDX-License-Identifier: MIT */
/*
 * What a process that has libseekless.so in it lets other processes read and set, in its own memory:
 * process_vm_readv(2) and process_vm_writev(2), with the rights that they ask for.  No file,
 * descriptor, signal or thread has a part in it.
 *
 * Where it is: the library is the mapping in /proc/PID/maps at file offset 0 whose name has
 * "libseekless" in it (the file may have been replaced since).  There, in memory, its program
 * headers (elf(5)) lead to a PT_NOTE with the name SEEKLESS_NOTE and the type SEEKLESS_LAYOUT, whose
 * descriptor is an int64_t: the distance in bytes from itself to struct seekless_root.
 *
 * Addresses are those of the process.  All numbers are in its byte order, which is the reader's: a
 * process of another machine has no such library.  What is read while the process runs is read at
 * slightly different times.
 */
#ifndef SEEKLESS_H
#define SEEKLESS_H

#include <stdint.h>

#define SEEKLESS_NOTE "seekless" /* 9 bytes with its end */
#define SEEKLESS_MAGIC 0x7373656c6b656573UL
/* Changes whenever a reader of the old one would be wrong; new counters do not change it. */
#define SEEKLESS_LAYOUT 1

enum seekless_state {
	SEEKLESS_IDLE, /* loaded, and does nothing: SEEKLESS does not say on, or not for this program */
	SEEKLESS_ON,	/* offsets are kept */
	SEEKLESS_AUDIT, /* the kernel makes every call, and is compared with */
};

struct seekless_root {
	uint64_t magic;	 /* SEEKLESS_MAGIC; 0: SEEKLESS_STATS=off */
	uint32_t layout; /* SEEKLESS_LAYOUT */
	uint32_t size;	 /* of this struct, in bytes */
	char version[16];
	uint32_t state; /* enum seekless_state */

	uint32_t kinds; /* of counters that are not by reason, see n */

	/*
	 * The counters.  Each thread has a block with n 64-bit numbers, to be added up; blocks form a list.
	 * What the first `kinds` numbers count is in names: for each a key ("seek.set") and words
	 * for people, each ended by a 0 byte.  Behind these, there, are keys and words of the reasons.
	 * The numbers behind the first `kinds` are counted by reason: one for each reason why a call was
	 * passed to the kernel (pass.why.*), an offset handed back (back.*), a description let go
	 * (gone.*).  The first reason but one, "unseeked", is not counted as a pass.why: it is what the
	 * others leave of the kinds pass.lseek, pass.read, pass.write and pass.other.
	 */
	uint64_t blocks; /* address of the address of the first; 0 there: none */
	uint32_t n;	 /* kinds + 3 * reasons */
	uint32_t reasons;
	uint32_t block_n,
		block_next; /* where in a block the numbers, and the next one's address, lie */
	uint64_t names;
	uint32_t names_size; /* in bytes */

	/*
	 * The descriptors.  slots: an array of 64-bit words, by number.  A word's bits outside of
	 * slot_flags are the address of what is known of the open file description, 0: not followed.
	 * While any flag is set the number is just changing hands.
	 */
	uint32_t ofd_size; /* bytes of a description */
	uint64_t slots;
	uint64_t slots_high; /* address of a uint32_t: no number at or above was ever followed */
	uint64_t slot_flags;

	/*
	 * A description.  Its first 16 bytes are the word: the offset in bytes (int64_t), and ctl (uint64_t), of
	 * which the bits state_mask hold the state, the bits seq_one * (0 to 2^32-1) a number that every
	 * change raises.  In state_held the offset is the truth and the kernel's f_pos is stale; in
	 * state_kernel and state_gone f_pos is the truth; in the two others a thread is just at work
	 * on it.  ctl_kept: what a change from state_held to state_kernel keeps of ctl, beside seq.
	 */
	uint64_t state_mask, seq_one, ctl_kept;
	uint8_t state_kernel, state_held, state_gone, state_audited;
	uint32_t saved; /* where in it a uint32_t lies: system calls saved, about */
	uint32_t why;	/* where in it a uint8_t lies: why it is gone, a reason */

	/* What audit has found: an array of struct seekless_disagreement; at 0: not used. */
	uint64_t disagreements;
	uint32_t disagreements_n;
	uint32_t unused;

	/*
	 * Address of a uint32_t that is not 0 after `seekless off`: no offset is taken from the kernel any more.
	 * Whoever sets it stops every thread (ptrace(2)) and takes care of what is held; to clear it is
	 * one write.  Children made by fork inherit it.
	 */
	uint64_t off;
	/* Address of a uint32_t: 0 after it has given up for good; the counters tell why (gone.*). */
	uint64_t follows;

	/* Nanoseconds since 1970 (CLOCK_REALTIME); 0: not on; 1: under a filter of system calls. */
	uint64_t started;

	/* What audit has found by file: an array of struct seekless_file; not used where saved is 0. */
	uint64_t files;
	uint32_t files_n, file_size;
};

/* A file of which numbers were closed or handed on in an audit. */
struct seekless_file {
	uint32_t state, hash;
	uint64_t saved; /* lseeks that would have been */
	uint64_t calls; /* lseeks, reads and writes at the offset, on the same descriptions */
	char path[424]; /* ended by 0, cut off at its end */
};

struct seekless_disagreement {
	int32_t fd;
	int32_t unused;
	uint64_t at; /* address of words for people, ended by 0: what the program was doing */
	int64_t ours, kernels; /* offsets in bytes; or -1, or an error as -errno */
	char path[200];	       /* ended by 0, cut off at its end */
};

/*
 * With SEEKLESS_STATS=FOLDER, the file FOLDER/seekless.PID, for whoever may not read the process's memory.  Of
 * SEEKLESS_IMAGE bytes; the process has it mapped, so it always holds the present numbers.  It begins with
 * this, and what the root names that is in it lies at the distance from `base`: the names, and the
 * blocks, which lie one behind the other; those of threads beyond the first blocks_n are missing.  Descriptors
 * are not in it.  Its process unlinks it at its end; where a
 * signal ends it, it stays: see `started`.
 */
#define SEEKLESS_IMAGE 65536
struct seekless_image {
	struct seekless_root root;
	uint64_t base; /* where the process has it */
	uint32_t blocks, blocks_n, block_size;
	int32_t pid;
	uint32_t zero, one;
	char program[64];
};

#endif
