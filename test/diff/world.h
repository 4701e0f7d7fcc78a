/* SPDX-License-Identifier: MIT */
/*
 * What a history is made of: chance that only the seed decides, lines of output that go past
 * libc, the numbers that are open, and buffers with a fault behind them.
 */
#ifndef SEEKLESS_DIFF_WORLD_H
#define SEEKLESS_DIFF_WORLD_H

#include "bare.h"
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { OUTPUT = 900, NUMBERS = 64, LOW = 40, ROOM = 16384, MARK = 7777 };

static uint64_t chance_state;
static char lines[1 << 16];
static size_t lines_used;
static long step;  /* which call this is */
static char *room; /* ROOM bytes, behind them nothing may be touched */
static int depth;  /* 0: the first process; children count up */

static inline long raw(long nr, long a, long b, long c, long d)
{
	return bare_syscall(nr, a, b, c, d, 0, 0);
}

static inline uint64_t chance(void) /* splitmix64 */
{
	uint64_t z = (chance_state += 0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static inline long below(long n)
{
	return (long)(chance() % (uint64_t)n);
}

static inline int percent(int p)
{
	return below(100) < p;
}

static inline void flush_lines(void)
{
	for (size_t done = 0; done < lines_used;) {
		long n = raw(SYS_write, OUTPUT, (long)lines + (long)done,
			     (long)(lines_used - done), 0);

		if (n <= 0)
			_exit(90);
		done += (size_t)n;
	}
	lines_used = 0;
}

__attribute__((format(printf, 1, 2))) static inline void say(const char *form, ...)
{
	va_list ap;

	if (lines_used > sizeof lines - 1024)
		flush_lines();
	va_start(ap, form);
	lines_used += (size_t)vsnprintf(lines + lines_used, 1000, form, ap);
	va_end(ap);
}

/* Before a call: its number, the process, its name and arguments. */
#define CALL(...) (say("%ld.%d ", step, depth), say(__VA_ARGS__), errno = MARK)

/* After it: the result; the error, or that a call that succeeded has touched errno. */
static inline long result(long r)
{
	int e = errno;

	if (r == -1)
		say(" = -1 errno %d", e);
	else if (e != MARK)
		say(" = %ld ERRNO BECAME %d", r, e);
	else
		say(" = %ld", r);
	return r;
}

static inline void sum(const void *data, long n) /* FNV-1a */
{
	const unsigned char *b = data;
	uint64_t h = 0xcbf29ce484222325;

	for (long i = 0; i < n; i++)
		h = (h ^ b[i]) * 0x100000001b3;
	if (n > 0)
		say(" sum %08x", (unsigned)(h >> 32));
}

static inline void end_of_call(void)
{
	say("\n");
}

/* The numbers that we believe to be open. */
static int open_numbers[NUMBERS], open_count;

static inline void forget(int fd)
{
	for (int i = 0; i < open_count; i++)
		if (open_numbers[i] == fd)
			open_numbers[i--] = open_numbers[--open_count];
}

static inline void learn(long fd)
{
	if (fd < 0)
		return;
	forget((int)fd);
	if (open_count == NUMBERS) {
		raw(SYS_close, open_numbers[0], 0, 0,
		    0); /* never reached with the limits used */
		forget(open_numbers[0]);
	}
	open_numbers[open_count++] = (int)fd;
}

/* Mostly one of the open numbers; often the one of the last call, as programs do. */
static inline int a_number(void)
{
	static const int odd[] = {-1, 899, 1 << 20, -2147483647, 777};
	static int last;

	if (open_count && percent(55))
		for (int i = 0; i < open_count; i++)
			if (open_numbers[i] == last)
				return last;
	if (open_count && percent(96))
		return last = open_numbers[below(open_count)];
	return percent(70) ? (int)below(LOW) : odd[below(5)];
}

/* Bytes that nobody wrote before at this place. */
static inline void fill_room(size_t n)
{
	for (size_t i = 0; i < n && i < ROOM; i++)
		room[i] = (char)(step * 31 + (long)i * 7 + (long)(i >> 8));
}

static inline void make_room(void)
{
	room = mmap(NULL, ROOM + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	if (room == MAP_FAILED || mprotect(room + ROOM, 4096, PROT_NONE))
		_exit(91);
}

struct buffer {
	char *at;
	size_t size; /* what the call is told */
	const char *what;
};

/* Mostly a good one; sometimes none, one that ends early, or a count beyond all bounds. */
static inline struct buffer a_buffer(void)
{
	struct buffer b = {room, 0, "good"};
	int kind = (int)below(100);

	if (kind < 5)
		b.size = 0;
	else if (kind < 45)
		b.size = 1 + below(16);
	else if (kind < 75)
		b.size = 1 + below(600);
	else if (kind < 85)
		b.size = 512 * (1 + below(16));
	else
		b.size = 1 + below(10000);
	switch (below(60)) {
	case 0:
		b = (struct buffer){(char *)1, b.size, "bad"};
		break;
	case 1:
		b.at = room + ROOM - below(b.size + 1);
		b.what = "edge";
		break;
	case 2:
		b = (struct buffer){room + ROOM, b.size, "none"};
		break;
	case 3:
		if (percent(30))
			b = (struct buffer){room + ROOM - 64,
					    percent(50) ? 0x7ffff001 : SIZE_MAX, "huge"};
		break;
	default:
		break;
	}
	return b;
}

#endif
