/* SPDX-License-Identifier: MIT */
/*
 * What a history's calls are made with: buffers with a fault behind them, bytes that nobody wrote
 * before, names, streams; and what is told of each call: its text, result, errno, and whatever else
 * came out of it.  Also the head of the programs that test/diff/shrink prints.
 */
#ifndef SEEKLESS_DIFF_CALLS_H
#define SEEKLESS_DIFF_CALLS_H

#include "bare.h"
#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OUTPUT = 900, ROOM = 16384, MARK = 7777, STREAMS = 4, NOT_MADE = -2, JUMPED = -3 };

static int verbose;	 /* a line for each call; otherwise only what they sum up to */
static uint64_t summary; /* of all that was told */
static long step;	 /* which call this is */
static int depth;	 /* 0: the first process; children count up */
static char *room;	 /* ROOM bytes, behind them nothing may be touched */
static jmp_buf *jump_to; /* where a handler may jump to */
static FILE *streams[STREAMS];
static DIR *folder;
static char lines[1 << 16];
static size_t lines_used;

static inline long raw(long nr, long a, long b, long c, long d)
{
	return bare_syscall(nr, a, b, c, d, 0, 0);
}

/* ---- what is told ---- */

static inline void flush_lines(void)
{
	for (size_t done = 0; done < lines_used;) {
		long n = raw(SYS_write, OUTPUT, (long)lines + (long)done, (long)(lines_used - done),
			     0);

		if (n <= 0)
			_exit(90);
		done += (size_t)n;
	}
	lines_used = 0;
}

__attribute__((format(printf, 1, 2))) static inline void say(const char *form, ...)
{
	va_list ap;

	if (lines_used > sizeof lines - 2048)
		flush_lines();
	va_start(ap, form);
	lines_used += (size_t)vsnprintf(lines + lines_used, 2000, form, ap);
	va_end(ap);
}

static inline void mix(long v)
{
	summary = (summary ^ (uint64_t)v) * 0x9e3779b97f4a7c15;
	summary ^= summary >> 29;
}

/* Something more than the result came out of it. */
static inline void also(long v)
{
	int e = errno;

	mix(v);
	if (verbose)
		say(" %ld", v);
	errno = e;
}

/* n bytes at p came out of it. */
static inline long got(long n, const void *p)
{
	const unsigned char *b = p;
	uint64_t h = (uint64_t)n, word;
	long i = 0;

	for (; i + 8 <= n; i += 8) {
		memcpy(&word, b + i, 8);
		h = (h ^ word) * 0x9e3779b97f4a7c15;
		h ^= h >> 32;
	}
	for (; i < n; i++)
		h = (h ^ b[i]) * 0x100000001b3;
	if (n > 0)
		also((long)(h >> 16 & 0xffffffff));
	return n;
}

/* errno of a success of libc's longer functions is nobody's promise. */
static inline long loose(long r)
{
	if (r != -1)
		errno = MARK;
	return r;
}

/* For a call with calls inside: they have lines of their own. */
static inline void open_line(void)
{
	if (verbose)
		say("\n");
	flush_lines();
}

static inline long done(long r)
{
	int e = errno;

	mix(r);
	mix(e);
	if (verbose) {
		say(" = %ld", r);
		if (r == -1)
			say(" errno %d", e);
		else if (e != MARK)
			say(" errno became %d", e);
		say("\n");
	}
	return r;
}

static inline void begin(const char *text)
{
	step++;
	if (verbose)
		say("%ld.%d %s", step, depth, text);
	errno = MARK;
}

/* glibc leaves a thread whose write was jumped out of cancellable anywhere, if there are several
 * threads: nothing that a program could rely on. */
static __thread int cancel_now = PTHREAD_CANCEL_DEFERRED;

static inline long jumped(void)
{
	pthread_setcanceltype(cancel_now, NULL);
	return JUMPED;
}

#define CALL(expression)                                                                           \
	do {                                                                                       \
		jmp_buf here, *outer = jump_to;                                                    \
		begin(#expression);                                                                \
		jump_to = &here;                                                                   \
		if (_setjmp(here))                                                                 \
			done(jumped());                                                            \
		else                                                                               \
			done((long)(expression));                                                  \
		jump_to = outer;                                                                   \
	} while (0)

/* ---- what calls are made with ---- */

/* -1: an address that is not mapped. */
static inline char *buf(long at)
{
	return at < 0 ? (char *)1 : room + at;
}

/* Bytes that only this seed gives. */
static inline char *fill(long at, size_t n, long seed)
{
	uint64_t v = (uint64_t)seed * 0x9e3779b97f4a7c15;

	for (size_t i = 0; at >= 0 && i < n && (size_t)at + i < ROOM;
	     i += 8, v += 0x0101010101010193)
		if ((size_t)at + i + 8 <= ROOM)
			memcpy(room + at + i, &v, 8);
		else
			memcpy(room + at + i, &v, ROOM - (size_t)at - i);
	return buf(at);
}

/* Parts one behind the other; the last one ends the room if its size is negative, and is longer. */
static inline struct iovec *vec(long a, long b, long c, long d)
{
	static struct iovec v[4];
	long sizes[] = {a, b, c, d}, at = 0;

	for (int i = 0; i < 4; at += sizes[i++])
		if (sizes[i] < 0)
			v[i] = (struct iovec){room + ROOM - 10, (size_t)-sizes[i]};
		else
			v[i] = (struct iovec){room + at, (size_t)sizes[i]};
	return v;
}
static inline struct iovec *vec_fill(long a, long b, long c, long d, long seed)
{
	fill(0, 5000, seed);
	return vec(a, b, c, d);
}

/* o: another file system; s: a small one. */
static const char *const paths[] = {
	"f0",	     "f1",
	"f2",	     "f3",
	"f4",	     "o/f0",
	"o/f1",	     "s/f0",
	"s/f1",	     "d0",
	"/dev/zero", "/dev/null",
	".",	     "/proc/version",
	"nowhere",   "/proc/self/comm",
	"/dev/full", "f0/x",
	"o",	     "/dev/urandom/x",
};
enum { PATHS = sizeof paths / sizeof *paths, FILES = 10 };
#define PATH(i) (paths[i])

static const char *const modes[] = {"r", "r+", "w", "w+", "a", "a+", "re", "zz"};
#define MODE(i) (modes[i])

/* The call is made only if the stream is there. */
#define S(i) (streams[i])
#define STEADY(expression) (jump_to = NULL, (long)(expression)) /* nobody jumps out of libc's own */
#define WITH(i, expression) (S(i) ? STEADY(expression) : NOT_MADE)
#define WITHOUT(i, expression) (S(i) ? NOT_MADE : STEADY(expression))
#define NUMBER(stream) number_of(stream)

/*
 * The stream's number.  Its buffer is a page of ours: what libc allocates lies by chance on a place that
 * suits O_DIRECT, or not, and any number can become one of such a file under the stream.
 */
static inline long number_of(FILE *stream)
{
	static char pages[STREAMS][4096] __attribute__((aligned(4096)));

	if (!stream)
		return -1;
	for (int i = 0; i < STREAMS; i++)
		if (S(i) == stream)
			setvbuf(stream, pages[i], _IOFBF, sizeof(pages[i]));
	return fileno(stream);
}

static inline void make_room(void)
{
	room = mmap(NULL, ROOM + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (room == MAP_FAILED || mprotect(room + ROOM, 4096, PROT_NONE))
		_exit(91);
}

#endif
