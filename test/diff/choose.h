/* SPDX-License-Identifier: MIT */
/*
 * Which calls a history makes: chance, that only the seed decides.  A choice puts one call or a few
 * into a list, all arguments said.
 */
#ifndef SEEKLESS_DIFF_CHOOSE_H
#define SEEKLESS_DIFF_CHOOSE_H

#include "script.h"

enum { LIST = 120, FEW = 12 };

static struct call list[LIST];
static int list_used;
static int nested; /* in a block: its calls are chosen before they are made */
static int plain;  /* in a block that has none inside; 2: and no streams */
static uint64_t chance_state;
static char direct[LOW]; /* numbers that were opened with O_DIRECT */

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

static void add_call(struct call c)
{
	if (list_used < LIST)
		list[list_used++] = c;
}
#define ADD(name, ...) add_call((struct call){(enum op)(name), {__VA_ARGS__}})

/* Mostly the first of them. */
static int one_of(int most, const int *of, int n)
{
	return percent(most) ? of[0] : of[below(n)];
}
#define LISTED(...) (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int)
#define MOSTLY(...) one_of(60, LISTED(__VA_ARGS__))
#define ANY(...) one_of(0, LISTED(__VA_ARGS__))

/* Mostly one of the open numbers; often the one of the last call, as programs do. */
static int a_number(void)
{
	if (known.count && percent(55))
		for (int i = 0; i < known.count; i++)
			if (known.open[i] == known.last)
				return known.last;
	if (known.count && percent(96))
		return known.last = known.open[below(known.count)];
	return percent(70) ? (int)below(44) : ANY(-1, 899, 1 << 20, -2147483647, 777);
}

/* In a block the number that comes out is not known yet: the lowest one that is free. */
static void expect_new(void)
{
	int fd = 3;

	if (!nested)
		return;
	for (int i = 0; i < known.count; i++)
		if (known.open[i] == fd) {
			fd++;
			i = -1;
		}
	learn(fd);
}

static int are_enough_open(void)
{
	return known.count > FEW;
}

static long a_file(void)
{
	return percent(1) ? 9 : below(9);
}

static long an_offset(void)
{
	static const long odd[] = {0x7fffffff,
				   0x80000000,
				   0xffffffff,
				   1L << 32,
				   (1L << 44) - 4096,
				   (1L << 44) - 4095,
				   LONG_MAX,
				   LONG_MAX - 1,
				   LONG_MIN,
				   1L << 62,
				   -1,
				   4095,
				   4096,
				   65536};

	if (percent(4))
		return odd[below(sizeof odd / sizeof *odd)];
	if (percent(20))
		return below(70000);
	return percent(5) ? -below(3000) : below(3000);
}

static long a_seed(void)
{
	return below(1 << 30);
}

/* ---- seek, read, write ---- */

/* Half of the time, what another call left is asked for at once. */
static void where_now(int fd)
{
	if (percent(50))
		ADD(OP_lseek, fd, 0, SEEK_CUR);
}

static void choose_lseek(void)
{
	int fd = a_number(), whence = percent(45) ? SEEK_SET : percent(60) ? SEEK_CUR : SEEK_END;
	long o = an_offset();

	if (whence == SEEK_CUR)
		o = percent(40) ? 0 : percent(50) ? o : below(200) - 100;
	if (whence == SEEK_END && percent(80))
		o = percent(50) ? 0 : -below(500);
	if (percent(5))
		whence = percent(60) ? ANY(SEEK_DATA, SEEK_HOLE) : ANY(-1, 5, 6, 99, INT_MIN);
	if (fd >= 0 && fd < LOW && direct[fd] && percent(70))
		o &= ~511L;
	ADD(MOSTLY(OP_lseek, OP_lseek64, OP___lseek, OP_llseek, OP_sys_lseek), fd, o, whence);
}

/* Mostly a good buffer; sometimes none, one that ends early, or a count beyond all bounds. */
static void a_buffer(int fd, long *at, long *size)
{
	int kind = (int)below(100);

	*at = 0;
	*size = kind < 5    ? 0
		: kind < 45 ? 1 + below(16)
		: kind < 75 ? 1 + below(600)
		: kind < 85 ? 512 * (1 + below(16))
			    : 1 + below(percent(20) ? 10000 : 3000);
	if (fd >= 0 && fd < LOW && direct[fd] && percent(80)) {
		*size = 512 * (1 + below(8));
		return;
	}
	switch (below(60)) {
	case 0:
		*at = -1;
		break;
	case 1:
		*at = ROOM - below(*size + 1);
		break;
	case 2:
		*at = ROOM;
		break;
	case 3:
		if (percent(30)) {
			*at = ROOM - 64;
			*size = percent(50) ? 0x7ffff001 : -1;
		}
		break;
	default:
		break;
	}
}

static void choose_read(void)
{
	int fd = a_number();
	long at, size;

	a_buffer(fd, &at, &size);
	if (size >= 0 && size <= ROOM && percent(8)) {
		ADD(OP___read_chk, fd, at, size);
	} else {
		ADD(MOSTLY(OP_read, OP___read, OP_sys_read), fd, at, size);
	}
	where_now(fd);
}

static void choose_write(void)
{
	int fd = a_number();
	long at, size;

	a_buffer(fd, &at, &size);
	ADD(MOSTLY(OP_write, OP___write, OP_sys_write), fd, at, size, a_seed());
	where_now(fd);
}

/* Up to four parts, of which one may be bad; how many are said to be there. */
static void a_vector(struct call *c)
{
	int n = 1 + (int)below(4);

	c->a[1] = percent(3) ? ANY(0, -1, 1025) : n;
	for (int i = 0; i < 4; i++)
		c->a[2 + i] = percent(10) ? 0 : 1 + below(900);
	if (percent(6))
		c->a[2 + below(n)] = -11 - below(50);
}

static void choose_vector(int op, long offset, int flags)
{
	struct call c = {(enum op)op, {a_number()}};

	a_vector(&c);
	c.a[6] = offset;
	c.a[7] = flags;
	c.a[8] = a_seed();
	add_call(c);
	where_now((int)c.a[0]);
}
static void choose_readv(void)
{
	choose_vector(MOSTLY(OP_readv, OP_sys_readv), 0, 0);
}
static void choose_writev(void)
{
	choose_vector(MOSTLY(OP_writev, OP_sys_writev), 0, 0);
}

/* xfs and btrfs answer to RWF_NOWAIT as their state and the clock will. */
static int with_nowait = 1;

static int a_flag(int often)
{
	int flag = percent(often) ? ANY(RWF_HIPRI, 0x20, RWF_NOWAIT, RWF_APPEND, 0x100) : 0;

	if (flag == 0x100 && percent(10)) /* it waits for the disk */
		flag = RWF_DSYNC;
	return with_nowait ? flag : flag & ~RWF_NOWAIT;
}
static void choose_preadv2(void)
{
	choose_vector(MOSTLY(OP_preadv2, OP_preadv64v2, OP_sys_preadv2),
		      percent(80) ? -1 : an_offset(), a_flag(20));
}
static void choose_pwritev2(void)
{
	choose_vector(MOSTLY(OP_pwritev2, OP_pwritev64v2, OP_sys_pwritev2),
		      percent(80) ? -1 : below(30000), a_flag(20));
}

static void choose_pread(void)
{
	int fd = a_number();
	long at, size;

	a_buffer(fd, &at, &size);
	ADD(OP_pread, fd, at, size, an_offset());
}

/* Sometimes far away, so that files have holes and lie beyond what is usual. */
static void choose_pwrite(void)
{
	int fd = a_number();
	long at, size, to = percent(97) ? below(30000) : (1L << (30 + below(12))) + below(5000);

	a_buffer(fd, &at, &size);
	ADD(OP_pwrite, fd, at, size, a_seed(), to);
	where_now(fd);
}

#endif
