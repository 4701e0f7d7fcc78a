/* SPDX-License-Identifier: MIT */
/*
 * Floor 2, state: the system calls that are made in the place of the program's: marked ones (W4), and
 * positioned reads.  And what the maker's own signal handler does when it meets the mark, or leaves by a
 * jump.
 *
 * Others wait for a mark.  A handler of the thread that set it cannot, and must not guess either:
 * before the system call its writes would come first, after it second.  So the call is made in a few
 * instructions of assembly (fly), and a handler that meets the mark finds out where it has
 * interrupted them: from the phase, and within the few instructions from the instruction pointer that
 * the kernel has saved in the signal frame.
 *   Not made yet: the handler takes the mark back and sends the interrupted thread to the flight's
 *                 abort, which looks again.  (Restartable sequences, rseq(2), work the same way.)
 *   Made:         the handler settles with the true result, also where that came short or failed.
 */
#ifndef FLIGHT_H
#define FLIGHT_H

#include "fdtab.h"
#include "real.h"

/* What a result does to the word. */
enum landing {
	LANDS_WRITTEN,  /* the offset goes on by the result */
	LANDS_APPENDED, /* the kernel has moved f_pos to the end: it holds the truth */
	LANDS_AT,       /* the result is the offset */
	LANDS_NOWHERE,  /* the offset stays */
	LANDS_READ,     /* the offset goes on by the result, unless something came in between: no mark */
};

#define LOOK_AGAIN INT64_MIN /* no result, and no -errno */

/*
 * Marks the word that l found, makes the call, settles.  The result, or LOOK_AGAIN where something
 * else came first.
 */
long flight(struct look *l, enum landing landing, const char *point, long nr, long a, long b, long c,
	    long d, long e, long f);

/*
 * The program is about to jump: out of a handler, perhaps, that has interrupted a flight, and then nobody
 * comes back to settle it.  Whatever was under way is taken back or settled.
 */
COLD void flight_jump(void);

/* In a handler of the owner: WRITING is no more; look again. */
COLD void flight_interrupted(struct look *l);

/* ---- positioned reads: no mark, so that the common case is short enough to be inlined ---- */

enum { BOARDING, IN_FLIGHT, LANDED };

/* On the stack of its thread; tls.flight leads to the innermost. */
struct flight {
	volatile uint32_t phase;
	volatile uint32_t aborted;
	volatile long result;
	volatile uintptr_t sp; /* while it is in flight */
	struct flight *outer;  /* whose handler we are */
	struct ofd *ofd;
	struct word mark; /* a read: the word as it was found */
	int64_t off;	  /* before */
	int64_t expected;
	enum landing landing;
	volatile bool settled; /* a read: by a handler */
};
_Static_assert(offsetof(struct flight, aborted) == 4 && offsetof(struct flight, result) == 8 &&
		       offsetof(struct flight, sp) == 16, "fly");

/* Where in the code a call is made: between critical and landed the saved pc tells whether it was. */
struct site {
	int32_t critical, landed, done, aborted; /* each relative to its own place */
};

/*
 * The call itself.  It is not made where the kernel will restart it: its saved pc stands on the
 * instruction again.  f is in a register that the signal frame saves, so that it is recognised.
 */
HOT long fly(struct flight *f, long nr, long a, long b, long c, long d, long e, long g)
{
#if defined(__x86_64__)
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = g;
	long r;

	__asm__ volatile("mov %%rsp, 16(%%rbx)\n\t"
			 "movl $1, (%%rbx)\n"
			 "1:\tcmpl $0, 4(%%rbx)\n\t"
			 "jne 4f\n\t"
			 "syscall\n"
			 "2:\tmov %%rax, 8(%%rbx)\n\t"
			 "movl $2, (%%rbx)\n"
			 "3:\n\t"
			 ".pushsection .text.unlikely, \"ax\"\n"
			 "4:\tmovabs $0x8000000000000000, %%rax\n\t" /* LOOK_AGAIN */
			 "jmp 3b\n\t"
			 ".popsection\n\t"
			 ".pushsection flight_sites, \"a\"\n\t"
			 ".long 1b - ., 2b - ., 3b - ., 4b - .\n\t"
			 ".popsection"
			 : "=a"(r)
			 : "0"(nr), "b"(f), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "cc", "memory");
	return r;
#else
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = g;
	register struct flight *x19 __asm__("x19") = f;

	__asm__ volatile("mov x9, sp\n\t"
			 "str x9, [x19, #16]\n\t"
			 "mov w9, #1\n\t"
			 "str w9, [x19]\n"
			 "1:\tldr w9, [x19, #4]\n\t"
			 "cbnz w9, 4f\n\t"
			 "svc #0\n"
			 "2:\tstr x0, [x19, #8]\n\t"
			 "mov w9, #2\n\t"
			 "str w9, [x19]\n"
			 "3:\n\t"
			 ".pushsection .text.unlikely, \"ax\"\n"
			 "4:\tmov x0, #0x8000000000000000\n\t" /* LOOK_AGAIN */
			 "b 3b\n\t"
			 ".popsection\n\t"
			 ".pushsection flight_sites, \"a\"\n\t"
			 ".long 1b - ., 2b - ., 3b - ., 4b - .\n\t"
			 ".popsection"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5), "r"(x19)
			 : "x9", "cc", "memory");
	return x0;
#endif
}

/* Also a result of 0 or an error: only a swap proves that it was true. */
HOT bool flight_land_read(struct ofd *o, struct word before, long r)
{
	return word_swap(&o->word, before, word_moved(before, before.off + (r > 0 ? r : 0)));
}

/* A read at the offset that l found: one swap afterwards.  The result or LOOK_AGAIN, as above. */
HOT long flight_read(struct look *l, long nr, long a, long b, long c, long d, long e, long g)
{
	int type = cancel_later();
	struct flight f;
	long r;

	f.phase = BOARDING;
	f.aborted = 0;
	f.settled = false;
	f.outer = tls.flight;
	f.ofd = l->ofd;
	f.mark = l->w;
	f.landing = LANDS_READ;
	tls.flight = &f;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	r = fly(&f, nr, a, b, c, d, e, g);
	/* Asked after the swap: it may have been lost to a handler of ours that has settled for us. */
	if (unlikely(r == LOOK_AGAIN) ||
	    unlikely(!(look_holds(l) && flight_land_read(l->ofd, l->w, r)) && !f.settled)) {
		count(C_retry);
		r = LOOK_AGAIN;
	}
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	tls.flight = f.outer;
	cancel_as_before(type);
	return r;
}

#endif
