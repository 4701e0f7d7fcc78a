/* SPDX-License-Identifier: MIT */
/*
 * Floor 4, operations: reading ahead of scans (SEEKLESS_READAHEAD).  After a read that continues a scan the
 * kernel is asked, by readahead(2), to bring the next blocks into its cache; it submits them and comes
 * back.  So there is no thread, no buffer and no lock, and nothing that could still be under way after
 * a close, a fork or an exec.  tools/READAHEAD.md tells what it gains, and why not a thread.
 *
 * All that is remembered is advice.  Threads that race for it, a handler that jumps away, a number that gets
 * another file meanwhile: at worst the kernel is asked for blocks that nobody wants.
 */
#ifndef AHEAD_H
#define AHEAD_H

#include "config.h"
#include "fdtab.h"

struct iovec;

/* In the place of transfer_read and transfer_readv, where hot.ahead is not 0. */
long ahead_read(int fd, void *buf, size_t n);
long ahead_readv(int fd, const struct iovec *iov, int n);

void ahead_start(void);
void ahead_reset_in_child(void);

/*
 * Around a read that names its offset, for seekless-ahead.so (shim/pread/pread.c): a time, 0 if
 * nobody wants to know; and what libc's function returned.
 */
EXPORT uint64_t seekless_pread_begins(int fd);
EXPORT void seekless_pread_ended(int fd, int64_t off, long r, uint64_t began);

/* ---- between the files of ahead*.c ---- */

enum { AHEAD_STREAMS = 4 };
#define KIB 1024L
#define MIB (1024L * KIB)
#define PIECE (128 * KIB) /* that the kernel is asked for at once */

/* One read of a file, as far as is known. */
struct ahead_seen {
	int fd;
	bool sure;	/* that it was at off: else we have counted */
	bool waited;	/* it took longer than a copy from the cache */
	bool fresh;	/* the ones before it were not looked at */
	int64_t off, n; /* n: bytes that it got */
	uint64_t ticks; /* how long it took, see ahead_clock */
};

enum ahead_kind { AHEAD_NEW, AHEAD_FORWARD, AHEAD_BACKWARD, AHEAD_STRIDED };

/* A scan: reads that each follow from the one before. */
struct ahead_stream {
	int64_t off, end; /* of its last read */
	int64_t step;	  /* strided: from one read to the next */
	int64_t asked;	  /* as far as was asked: strided, the last block */
	int64_t distance; /* how far ahead, in bytes */
	int64_t quiet;	  /* bytes that are to go by before it may ask again */
	/* Time and bytes of its reads since it asks, and before. */
	uint64_t ticks, bytes, ticks_before, bytes_before;
	int64_t since_wait; /* bytes */
	uint32_t run;	    /* reads that came as expected */
	uint32_t waits;
	uint32_t cached; /* in a row, pieces that were all in the cache */
	uint32_t worse;	 /* in a row, stretches that took no less time than before */
	uint32_t used;	 /* when, in reads of this file */
	uint8_t kind;
	bool asking, left; /* left to the kernel's own window */
};

/* A file that is open. */
struct ahead_file {
	struct ofd *ofd; /* whose, with birth */
	uint32_t birth;
	uint32_t busy;	/* somebody is at work on it; others pass by */
	uint32_t stuck; /* times that one was found so */
	uint32_t used;	/* when, in reads of the process, about */
	int64_t pos;	/* f_pos after the last read, as we count it; -1: not known */
	uint32_t seq;	/* of the word, then */
	uint32_t reads;
	int64_t size;
	int32_t window; /* of its device in KiB, ahead_window */
	bool known, never;
	uint8_t same;	       /* distances in a row */
	uint8_t misses, level; /* random reads in a row; how often given up */
	uint32_t skip;	       /* reads that are not looked at */
	int64_t last_off, last_gap;
	struct ahead_stream stream[AHEAD_STREAMS];
};

/* A read of f has come back.  True: it is ahead of this one that is read. */
bool ahead_saw(struct ahead_file *f, const struct ahead_seen *seen);

/* Asks for what is missing of s.distance ahead of the read; s may stop, or be no scan any more. */
void ahead_ask_on(struct ahead_file *f, struct ahead_stream *s, struct ahead_seen *seen);
void ahead_stop(struct ahead_stream *s, unsigned why, int64_t quiet); /* why: a counter */
void ahead_learn(struct ahead_file *f, int fd); /* sets f->never, where it is no use */
HOT bool ahead_is_auto(void)
{
	return config.ahead == AHEAD_AUTO;
}

/* How far the kernel reads ahead on this device, in KiB; -1: cannot be told. */
int32_t ahead_window(uint64_t dev);

/* The offset that the kernel has now. */
int64_t ahead_tell(int fd);

/* The processor's clock, since the kernel's costs as much as a small read; its speed is about known. */
HOT uint64_t ahead_clock(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	uint64_t t;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
	return t;
#endif
}
HOT uint64_t ahead_ticks_of_us(uint64_t us)
{
#if defined(__x86_64__)
	return us * 2500; /* 2 to 4 GHz */
#else
	uint64_t hz;

	__asm__("mrs %0, cntfrq_el0" : "=r"(hz));
	return us * hz / 1000000;
#endif
}

#endif
