/* SPDX-License-Identifier: MIT */
/* What the calls on descriptors share, and those that seek, read and write. */
#ifndef SEEKLESS_DIFF_CALLS_IO_H
#define SEEKLESS_DIFF_CALLS_IO_H

#include "world.h"
#include <fcntl.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>

enum { FILES = 7 };

static const char *a_file(void)
{
	static const char *const names[] = {"f0", "f1", "f2", "f3", "f4", "f5", "f6"};

	return names[below(FILES)];
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

static int indirect(void)
{
	return below(8) == 0;
}

static void make_lseek(void)
{
	static const int bad[] = {-1,	     5,		6,	   99,	     INT_MIN,
				  SEEK_DATA, SEEK_HOLE, SEEK_DATA, SEEK_HOLE};
	int fd = a_number(), whence = percent(45)   ? SEEK_SET
				      : percent(60) ? SEEK_CUR
						    : SEEK_END;
	long o = an_offset();

	if (whence == SEEK_CUR)
		o = percent(40) ? 0 : percent(50) ? o : below(200) - 100;
	if (whence == SEEK_END && percent(80))
		o = percent(50) ? 0 : -below(500);
	if (percent(5))
		whence = bad[below(9)];
	if (indirect()) {
		CALL("syscall lseek(%d, %ld, %d)", fd, o, whence);
		result(syscall(SYS_lseek, fd, o, whence));
	} else {
		CALL("lseek(%d, %ld, %d)", fd, o, whence);
		result(lseek(fd, o, whence));
	}
	end_of_call();
}

/* Half of the time, what every other call left is asked for at once. */
static void where_now(int fd)
{
	if (percent(50))
		return;
	end_of_call();
	CALL("lseek(%d, 0, 1)", fd);
	result(lseek(fd, 0, SEEK_CUR));
}

static void make_read(void)
{
	int fd = a_number();
	struct buffer b = a_buffer();
	long n;

	if (indirect()) {
		CALL("syscall read(%d, %s, %zu)", fd, b.what, b.size);
		n = result(syscall(SYS_read, fd, b.at, b.size));
	} else {
		CALL("read(%d, %s, %zu)", fd, b.what, b.size);
		n = result(read(fd, b.at, b.size));
	}
	sum(b.at, n);
	where_now(fd);
	end_of_call();
}

static void make_write(void)
{
	int fd = a_number();
	struct buffer b = a_buffer();

	fill_room(ROOM);
	if (indirect()) {
		CALL("syscall write(%d, %s, %zu)", fd, b.what, b.size);
		result(syscall(SYS_write, fd, b.at, b.size));
	} else {
		CALL("write(%d, %s, %zu)", fd, b.what, b.size);
		result(write(fd, b.at, b.size));
	}
	where_now(fd);
	end_of_call();
}

/* Up to four parts, of which one may be bad. */
static int a_vector(struct iovec *v)
{
	static const int odd[] = {0, 0, -1, 1025};
	int n = 1 + (int)below(4), bad = percent(6) ? (int)below(n) : -1;

	for (int i = 0; i < n; i++) {
		v[i] = (struct iovec){room + 4000 * i, percent(10) ? 0 : 1 + below(900)};
		if (i == bad)
			v[i].iov_base = percent(50) ? room + ROOM - 10 : (char *)1;
		say("%s%zu", i ? "+" : "", v[i].iov_len);
	}
	say("%s)", bad < 0 ? "" : " one bad");
	return percent(3) ? odd[below(4)] : n;
}

static void sum_vector(const struct iovec *v, long n)
{
	for (; n > 0; v++) {
		long here = n < (long)v->iov_len ? n : (long)v->iov_len;

		sum(v->iov_base, here);
		n -= here;
	}
}

static void make_readv(void)
{
	struct iovec v[4];
	int fd = a_number(), parts;
	long n;

	CALL("readv(%d, ", fd);
	parts = a_vector(v);
	errno = MARK;
	n = result(readv(fd, v, parts));
	sum_vector(v, n);
	where_now(fd);
	end_of_call();
}

static void make_writev(void)
{
	struct iovec v[4];
	int fd = a_number(), parts;

	fill_room(ROOM);
	CALL("writev(%d, ", fd);
	parts = a_vector(v);
	errno = MARK;
	result(writev(fd, v, parts));
	where_now(fd);
	end_of_call();
}

/*
 * DIFF_NOWAIT=no: without RWF_NOWAIT, to which xfs and btrfs answer as their state and the clock
 * will.
 */
static int without_nowait(int flags)
{
	const char *nowait = getenv("DIFF_NOWAIT");

	return nowait && !strcmp(nowait, "no") ? flags & ~RWF_NOWAIT : flags;
}

static const int rwf[] = {0, 0, 0, RWF_HIPRI, RWF_DSYNC, RWF_NOWAIT, RWF_APPEND, 0x20, 0x100};

static void make_preadv2(void)
{
	struct iovec v[4];
	int fd = a_number(), parts, flags = without_nowait(rwf[below(3 + 4 * percent(30))]);
	long n, o = percent(80) ? -1 : an_offset();

	CALL("preadv2(%d, at %ld, flags %d, ", fd, o, flags);
	parts = a_vector(v);
	errno = MARK;
	n = result(preadv2(fd, v, parts, o, flags));
	sum_vector(v, n);
	where_now(fd);
	end_of_call();
}

static void make_pwritev2(void)
{
	struct iovec v[4];
	int fd = a_number(), parts,
	    flags = percent(70) ? 0 : without_nowait(rwf[below(sizeof rwf / sizeof *rwf)]);
	long o = percent(80) ? -1 : below(30000);

	fill_room(ROOM);
	CALL("pwritev2(%d, at %ld, flags %d, ", fd, o, flags);
	parts = a_vector(v);
	errno = MARK;
	result(pwritev2(fd, v, parts, o, flags));
	where_now(fd);
	end_of_call();
}

static void make_pread(void)
{
	int fd = a_number();
	struct buffer b = a_buffer();
	long o = an_offset(), n;

	CALL("pread(%d, %s, %zu, %ld)", fd, b.what, b.size, o);
	n = result(pread(fd, b.at, b.size, o));
	sum(b.at, n);
	end_of_call();
}

static void make_pwrite(void)
{
	int fd = a_number();
	struct buffer b = a_buffer();
	long o = below(30000);

	fill_room(ROOM);
	CALL("pwrite(%d, %s, %zu, %ld)", fd, b.what, b.size, o);
	result(pwrite(fd, b.at, b.size, o));
	where_now(fd);
	end_of_call();
}

#endif
