/* SPDX-License-Identifier: MIT */
/* The calls that make and end numbers, and change what is known of them. */
#ifndef SEEKLESS_DIFF_CALLS_NUMBERS_H
#define SEEKLESS_DIFF_CALLS_NUMBERS_H

#include "calls_io.h"

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

#endif
