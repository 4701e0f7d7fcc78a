/* SPDX-License-Identifier: MIT */
/* The calls on descriptors. Each prints itself. Of those that have a system call, one in eight
 * goes through syscall(). */
#ifndef SEEKLESS_DIFF_CALLS_H
#define SEEKLESS_DIFF_CALLS_H

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

/* DIFF_NOWAIT=no: without RWF_NOWAIT, to which xfs and btrfs answer as their state and the clock will. */
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

/* Without O_DIRECT: beside the page cache, what is read depends on when pages are written. */
static void make_open(void)
{
	static const char *const others[] = {"/dev/zero",     "/dev/null", ".",
					     "/proc/version", "nowhere",   "/proc/self/comm",
					     "/dev/full",     "f0/x"};
	static const int modes[] = {O_RDONLY, O_WRONLY, O_RDONLY, O_WRONLY | O_RDWR};
	const char *name = percent(94) ? a_file() : others[below(8)];
	int flags = (percent(75) ? O_RDWR : modes[below(3 + percent(10))]) | O_NONBLOCK |
		    (percent(50) ? O_CLOEXEC : 0) | (percent(12) ? O_APPEND : 0) |
		    (percent(4) ? O_TRUNC : 0) | (percent(97) ? O_CREAT : 0) |
		    (percent(2) ? O_EXCL : 0) | (percent(2) ? O_PATH : 0);

	if (open_count > 12)
		return;
	if (name[0] != 'f')
		flags &= ~(O_CREAT | O_EXCL | O_TRUNC);
	switch (below(8)) {
	case 0:
		CALL("syscall openat(%s, 0%o)", name, flags);
		learn(result(syscall(SYS_openat, AT_FDCWD, name, flags, 0600)));
		break;
	case 1:
		CALL("openat(%s, 0%o)", name, flags);
		learn(result(openat(AT_FDCWD, name, flags, 0600)));
		break;
	case 2:
		if (name[0] == 'f' && percent(20)) {
			CALL("creat(%s)", name);
			learn(result(creat(name, 0600)));
			break;
		} /* fall through */
	default:
		CALL("open(%s, 0%o)", name, flags);
		learn(result(open(name, flags, 0600)));
	}
	end_of_call();
}

static void make_close(void)
{
	int fd = a_number();

	if (indirect()) {
		CALL("syscall close(%d)", fd);
		result(syscall(SYS_close, fd));
	} else {
		CALL("close(%d)", fd);
		result(close(fd));
	}
	forget(fd);
	end_of_call();
}

static void make_dup(void)
{
	int fd = a_number();

	if (open_count > 12)
		return;
	CALL("dup(%d)", fd);
	learn(result(indirect() ? syscall(SYS_dup, fd) : dup(fd)));
	end_of_call();
}

static int a_target(void)
{
	return percent(50)   ? a_number()
	       : percent(80) ? (int)below(LOW)
			     : 300 + (int)below(3) + 5000 * percent(10);
}

static void make_dup2(void)
{
	int fd = a_number(), to = a_target();

	CALL("dup2(%d, %d)", fd, to);
	learn(result(dup2(fd, to)));
	end_of_call();
}

static void make_dup3(void)
{
	int fd = a_number(), to = a_target(),
	    flags = percent(50)	  ? O_CLOEXEC
		    : percent(90) ? 0
				  : 7;

	CALL("dup3(%d, %d, %d)", fd, to, flags);
	learn(result(indirect() ? syscall(SYS_dup3, fd, to, flags) : dup3(fd, to, flags)));
	end_of_call();
}

static void make_dupfd(void)
{
	int fd = a_number(), least = percent(90) ? (int)below(LOW) : -1;
	int how = percent(50) ? F_DUPFD : F_DUPFD_CLOEXEC;

	if (open_count > 12)
		return;
	CALL("fcntl(%d, %d, %d)", fd, how, least);
	learn(result(fcntl(fd, how, least)));
	end_of_call();
}

static void make_setfl(void)
{
	int fd = a_number(), flags = O_NONBLOCK | (percent(50) ? O_APPEND : 0);

	CALL("fcntl(%d, F_SETFL, 0%o)", fd, flags);
	result(fcntl(fd, F_SETFL, flags));
	end_of_call();
	CALL("fcntl(%d, F_GETFL)", fd);
	result(fcntl(fd, F_GETFL));
	end_of_call();
}

static void make_setfd(void)
{
	int fd = a_number(), flags = (int)below(2);

	CALL("fcntl(%d, F_SETFD, %d)", fd, flags);
	result(fcntl(fd, F_SETFD, flags));
	end_of_call();
}

static void make_ftruncate(void)
{
	int fd = a_number();
	long size = percent(3) ? -1 : below(20000);

	CALL("ftruncate(%d, %ld)", fd, size);
	result(ftruncate(fd, size));
	where_now(fd);
	end_of_call();
}

static void make_truncate(void)
{
	const char *name = a_file();
	long size = below(20000);

	CALL("truncate(%s, %ld)", name, size);
	result(truncate(name, size));
	end_of_call();
}

static void make_fstat(void)
{
	struct stat st = {0};
	int fd = a_number();

	CALL("fstat(%d)", fd);
	if (result(fstat(fd, &st)) == 0 && S_ISREG(st.st_mode))
		say(" size %ld", (long)st.st_size);
	end_of_call();
}

static void make_sendfile(void)
{
	int to = a_number(), from = a_number();
	off_t at = below(5000), *p = percent(50) ? &at : NULL;
	size_t n = below(3000);

	CALL("sendfile(%d, %d, %ld, %zu)", to, from, p ? (long)at : -1, n);
	result(sendfile(to, from, p, n));
	if (p)
		say(" then %ld", (long)at);
	where_now(to);
	end_of_call();
}

static void make_copy(void)
{
	int from = a_number(), to = a_number();
	off_t x = below(5000), y = below(5000), *px = percent(30) ? &x : NULL,
	      *py = percent(30) ? &y : NULL;
	size_t n = below(3000);

	CALL("copy_file_range(%d, %ld, %d, %ld, %zu)", from, px ? (long)x : -1, to,
	     py ? (long)y : -1, n);
	result(copy_file_range(from, px, to, py, n, 0));
	say(" then %ld %ld", (long)x, (long)y);
	where_now(from);
	end_of_call();
}

/* Through a pipe of its own, which is emptied at once: what lies in a pipe changes with the
 * file's pages. */
static void make_splice(void)
{
	int fd = a_number(), p[2];
	off_t x = below(5000), *px = percent(30) ? &x : NULL;
	size_t size = below(3000);
	long n;

	if (open_count > 12 || pipe2(p, O_NONBLOCK))
		return;
	fill_room(size);
	CALL("splice(%d, %ld, %zu)", fd, px ? (long)x : -1, size);
	if (percent(50)) {
		say(" from");
		n = result(splice(fd, px, p[1], NULL, size, SPLICE_F_NONBLOCK));
		if (n > 0)
			sum(room, read(p[0], room, ROOM));
	} else {
		say(" to");
		if (write(p[1], room, size) == (long)size)
			result(splice(p[0], NULL, fd, px, size, SPLICE_F_NONBLOCK));
	}
	say(" then %ld", (long)x);
	close(p[0]);
	close(p[1]);
	where_now(fd);
	end_of_call();
}

static void make_fionread(void)
{
	int fd = a_number(), n = -5;

	CALL("ioctl(%d, FIONREAD)", fd);
	result(ioctl(fd, FIONREAD, &n));
	say(" %d", n);
	end_of_call();
}

/* /dev/null has locks, too, but shares them with the whole machine. */
static int is_own_file(int fd)
{
	struct stat st;

	return raw(SYS_fstat, fd, (long)&st, 0, 0) == 0 && S_ISREG(st.st_mode);
}

/* Locks of open file descriptions meet each other in one process: where they lie can be seen.
 */
static void make_lock(void)
{
	struct flock l = {.l_whence = (short)(percent(70) ? SEEK_CUR : SEEK_SET)};
	int fd = a_number(), how = percent(60)	 ? F_OFD_SETLK
				   : percent(50) ? F_OFD_GETLK
						 : F_SETLK;

	if (!is_own_file(fd))
		return;
	l.l_type = (short)(percent(40) ? F_WRLCK : percent(50) ? F_RDLCK : F_UNLCK);
	if (how == F_OFD_GETLK && l.l_type == F_UNLCK)
		l.l_type = F_WRLCK;
	l.l_start = below(300) - 100;
	l.l_len = below(200);
	CALL("fcntl(%d, %d, type %d whence %d %ld+%ld)", fd, how, l.l_type, l.l_whence,
	     (long)l.l_start, (long)l.l_len);
	result(fcntl(fd, how, &l));
	if (how == F_OFD_GETLK)
		say(" type %d whence %d %ld+%ld", l.l_type, l.l_whence, (long)l.l_start,
		    (long)l.l_len);
	end_of_call();
}

static void make_lockf(void)
{
	static const int how[] = {F_TLOCK, F_ULOCK, F_TEST};
	int fd = a_number(), command = how[below(3)];
	long n = below(400) - 200;

	if (!is_own_file(fd))
		return;
	CALL("lockf(%d, %d, %ld)", fd, command, n);
	result(lockf(fd, command, n));
	end_of_call();
}

static void make_dprintf(void)
{
	int fd = a_number(), n;

	CALL("dprintf(%d)", fd);
	n = dprintf(fd, "line %ld of %s\n", step, "the history");
	say(" = %d", n);
	where_now(fd);
	end_of_call();
}

static void make_close_range(void)
{
	unsigned first = (unsigned)below(LOW), last = first + (unsigned)below(4);
	int flags = percent(60) ? 0 : percent(90) ? 4 : 64; /* 4: CLOSE_RANGE_CLOEXEC */

	CALL("close_range(%u, %u, %d)", first, last, flags);
	result(close_range(first, last, flags));
	if (flags == 0)
		for (unsigned i = first; i <= last; i++)
			forget((int)i);
	end_of_call();
}

static void make_pipe(void)
{
	int p[2] = {-1, -1};

	if (open_count > 10)
		return;
	CALL("pipe2()");
	result(pipe2(p, O_NONBLOCK));
	say(" %d %d", p[0], p[1]);
	learn(p[0]);
	learn(p[1]);
	end_of_call();
}

static void make_temporary(void)
{
	char name[] = "t.XXXXXX", with_end[] = "t.XXXXXX.end";
	int fd = -1;

	if (open_count > 12)
		return;
	switch (below(5)) {
	case 0:
		CALL("mkstemp()");
		fd = mkstemp(name);
		unlink(name);
		break;
	case 1:
		CALL("mkostemps()");
		fd = mkostemps(with_end, 4, O_APPEND);
		unlink(with_end);
		break;
	case 2:
		CALL("memfd_create()");
		fd = memfd_create("memory", 0);
		break;
	case 3:
		CALL("open(O_TMPFILE)");
		fd = open(".", O_TMPFILE | O_RDWR, 0600);
		break;
	default:
		CALL("mkostemp()");
		fd = mkostemp(name, O_CLOEXEC);
		unlink(name);
	}
	learn(fd);
	say(" = %d", fd);
	end_of_call();
}

static void make_limit(void)
{
	struct rlimit l;

	getrlimit(RLIMIT_FSIZE, &l);
	l.rlim_cur = percent(70) ? RLIM_INFINITY : (rlim_t)(1000 + below(8000));
	if (l.rlim_cur == RLIM_INFINITY)
		CALL("setrlimit(FSIZE, none)");
	else
		CALL("setrlimit(FSIZE, %ld)", (long)l.rlim_cur);
	result(setrlimit(RLIMIT_FSIZE, &l));
	end_of_call();
}

static void make_unlink(void)
{
	const char *name = a_file();

	CALL("unlink(%s)", name);
	result(unlink(name));
	end_of_call();
}

#endif
