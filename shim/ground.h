/* SPDX-License-Identifier: MIT */
/*
 * Floor 0, ground: the machine.  System calls without libc, attributes, the test build's hook, and
 * what each thread keeps.  What else is written for a processor: word_swap, spare_swap, fly.h, the
 * saved registers in flight.c, and the stubs in *.S.
 *
 * A raw call returns what the kernel returned: >= 0, or -errno.  errno is never touched here.
 */
#ifndef GROUND_H
#define GROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <sys/syscall.h>
#include <sys/types.h>

#if !defined(__linux__) || !defined(__GLIBC__) || !defined(__LP64__)
#error "seekless is for 64-bit Linux with glibc"
#endif

#define EXPORT __attribute__((visibility("default")))
#define ALIAS_OF(name, of) EXPORT __typeof__(of) name __attribute__((alias(#of)))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define HOT static inline __attribute__((always_inline))
#define COLD __attribute__((noinline, cold))
/* These lie side by side in memory: a call touches fewer pages. */
#define OFTEN __attribute__((hot))
#define USED __attribute__((used)) /* by assembly */

/* Numbers that older headers lack; new calls have the same one everywhere. */
#define NR_io_uring_setup 425
#define NR_pidfd_open 434
#define NR_close_range 436
#define NR_openat2 437
#define NR_pidfd_getfd 438

/*
 * The explorer (test/explore) runs the library step by step, on a machine of its own: it makes the
 * system calls and decides before each step that another thread can see whose turn it is.  STEP
 * tells it of those that are written in assembly, STEP_PEEK of a look into another thread's stack.
 */
#ifdef SEEKLESS_EXPLORE
#include "machine.h"
#else
#define STEP(address) ((void)0)
#define STEP_PEEK(address) ((void)0)
#define SPINS 200
#endif

#if defined(SEEKLESS_EXPLORE)
/* raw: see there */
#define raw3(nr, a, b, c) raw(nr, a, b, c, 0, 0, 0)
#define raw4(nr, a, b, c, d) raw(nr, a, b, c, d, 0, 0)
#elif defined(__x86_64__)
static inline long raw(long nr, long a, long b, long c, long d, long e, long f)
{
	long ret;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "0"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}
static inline long raw3(long nr, long a, long b, long c)
{
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "0"(nr), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return ret;
}
static inline long raw4(long nr, long a, long b, long c, long d)
{
	long ret;
	register long r10 __asm__("r10") = d;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "0"(nr), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return ret;
}
static inline void cpu_relax(void)
{
	__builtin_ia32_pause();
}
#elif defined(__aarch64__)
static inline long raw(long nr, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory", "cc");
	return x0;
}
static inline long raw3(long nr, long a, long b, long c)
{
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory", "cc");
	return x0;
}
static inline long raw4(long nr, long a, long b, long c, long d)
{
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory", "cc");
	return x0;
}
static inline void cpu_relax(void)
{
	__asm__ volatile("yield" ::: "memory");
}
#else
#error "x86-64 and aarch64 only"
#endif

#define RAW0(nr) raw3(nr, 0, 0, 0)
#define RAW1(nr, a) raw3(nr, (long)(a), 0, 0)
#define RAW2(nr, a, b) raw3(nr, (long)(a), (long)(b), 0)
#define RAW3(nr, a, b, c) raw3(nr, (long)(a), (long)(b), (long)(c))
#define RAW4(nr, a, b, c, d) raw4(nr, (long)(a), (long)(b), (long)(c), (long)(d))
#define RAW6(nr, a, b, c, d, e, f)                                                                 \
	raw(nr, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

/* The kernel's form of a result to libc's.  Called once, at the entry point. */
COLD long ground_fail(long r); /* errno = -r; -1 */
static inline long to_libc(long r)
{
	return unlikely((unsigned long)r > -4096UL) ? ground_fail(r) : r;
}

/* The other way round, for a call made through libc inside an operation. */
static inline long from_libc(long r)
{
	return r == -1 ? -(long)errno : r;
}

/*
 * What each thread keeps.  Zero is valid: these bytes are read before our constructor, in the
 * IFUNC resolvers of the main program, when the initial TLS image is not copied yet.
 */
struct block;
struct flight;
struct tls {
	struct block *block;   /* its counters; NULL until it counts the first time */
	struct flight *flight; /* a positioned call under way in this thread, for its handlers */
	int tid;	       /* 0 until asked for */
	int vfork_depth;       /* > 0 in a vfork child, which runs on its parent's memory */
	bool for_parent;       /* there: acting as the parent, with vfork_depth 0 for the while */
	bool async_cancel;     /* PTHREAD_CANCEL_ASYNCHRONOUS is on */
	bool by_syscall; /* the program has called syscall(): no function of libc's is to be called */
	uint8_t ahead;	      /* reads that are to be looked at, see ahead.c */
	uint64_t changed[16]; /* there: numbers that are no longer the parent's, one bit each */
};
#define TLS_NUMBERS ((int)(sizeof(((struct tls *)0)->changed) * 8))
extern __thread struct tls tls;

COLD int ground_ask_tid(void);
static inline int my_tid(void)
{
	return likely(tls.tid) ? tls.tid : ground_ask_tid();
}

/* Every signal blocked, libc's own two as well: the raw call does not filter them. */
typedef uint64_t sigmask_t;
static inline sigmask_t signals_block(void)
{
	sigmask_t all = ~0UL, old = 0;

	RAW4(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, &all, &old, sizeof(all));
	return old;
}
static inline void signals_restore(sigmask_t old)
{
	RAW4(SYS_rt_sigprocmask, 2, &old, NULL, sizeof(old));
}

/*
 * Copies what the program's pointer names, or says false where the kernel would say EFAULT.
 * Plainly dereferencing a pointer that was meant for the kernel could kill the program.
 */
bool ground_peek(void *to, const void *from, size_t n);

/* Does this processor have the instruction that the word is changed by (word_swap)? */
bool ground_can_swap(void);

/*
 * The test build can stop a thread at a named point; otherwise this is nothing.  "late": before a call
 * that nobody sees, of which LIMITS.md says when it may come too late.
 */
#if defined(SEEKLESS_EXPLORE)
#define HOOK(point, fd) STEP(NULL)
#elif defined(SEEKLESS_TEST)
extern void (*seekless_hook)(const char *point, int fd);
#define HOOK(point, fd) (seekless_hook ? seekless_hook(point, fd) : (void)0)
#else
#define HOOK(point, fd) ((void)0)
#endif

#endif
