/* SPDX-License-Identifier: MIT */
/*
 * Floor 2, state: one system call, made so that a signal handler can tell whether it has been made,
 * and can still prevent it.  flight.h tells what for.
 */
#ifndef FLY_H
#define FLY_H

#include "ofd.h"

/* What a result does to the word. */
enum landing {
	LANDS_WRITTEN,	/* the offset goes on by the result */
	LANDS_APPENDED, /* the kernel has moved f_pos to the end: it holds the truth */
	LANDS_AT,	/* the result is the offset */
	LANDS_NOWHERE,	/* the offset stays */
	LANDS_READ,	/* as WRITTEN, unless something came in between: no mark */
};

#define LOOK_AGAIN INT64_MIN /* no result, and no -errno */

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
		       offsetof(struct flight, sp) == 16,
	       "fly");

/*
 * Where in the code a call is made: between critical and landed the saved pc tells whether it was.
 */
struct site {
	int32_t critical, landed, done, aborted; /* each relative to its own place */
};

/*
 * The call itself.  It is not made where the kernel will restart it: its saved pc stands on the
 * instruction again.  f is in a register that the signal frame saves, so that it is recognised.
 */
#if defined(SEEKLESS_EXPLORE)
/* as its machine does it */
#elif defined(__x86_64__)
HOT long fly(struct flight *f, long nr, long a, long b, long c, long d, long e, long g)
{
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
}
#else
HOT long fly(struct flight *f, long nr, long a, long b, long c, long d, long e, long g)
{
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
			 "stlr w9, [x19]\n"
			 "1:\tldr w9, [x19, #4]\n\t"
			 "cbnz w9, 4f\n\t"
			 "svc #0\n"
			 "2:\tstr x0, [x19, #8]\n\t"
			 "mov w9, #2\n\t"
			 "stlr w9, [x19]\n" /* other threads read the phase, then the result */
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
}
#endif

#endif
