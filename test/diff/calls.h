/* SPDX-License-Identifier: MIT */
/* The calls on descriptors. Each prints itself. Of those that have a system call, one in eight
 * goes through syscall(). */
#ifndef SEEKLESS_DIFF_CALLS_H
#define SEEKLESS_DIFF_CALLS_H

#include "calls_numbers.h"

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
