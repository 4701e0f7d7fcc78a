/* SPDX-License-Identifier: MIT */
/* Calls that need some lines around them: arguments in memory, pairs of descriptors. */
#ifndef SEEKLESS_DIFF_ACTS_H
#define SEEKLESS_DIFF_ACTS_H

#include "calls.h"
#include <dlfcn.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stddef.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/socket.h>

/* Names of libc's that its headers do not show. */
off64_t __lseek(int, off64_t, int) __attribute__((weak));
off64_t llseek(int, off64_t, int) __attribute__((weak));
ssize_t __read(int, void *, size_t) __attribute__((weak));
ssize_t __write(int, const void *, size_t) __attribute__((weak));
ssize_t __read_chk(int, void *, size_t, size_t);
int __open(const char *, int, ...) __attribute__((weak));
int __open64(const char *, int, ...) __attribute__((weak));
int __open_2(const char *, int);
int __open64_2(const char *, int);
int __openat_2(int, const char *, int);
int __openat64_2(int, const char *, int);
int __close(int) __attribute__((weak));
int __dup2(int, int) __attribute__((weak));
int __fcntl(int, int, ...) __attribute__((weak));
int __dprintf_chk(int, int, const char *, ...);
int __vdprintf_chk(int, int, const char *, va_list);
int __fxstat(int, int, struct stat *);
int __fxstat64(int, int, struct stat64 *);
int __fxstatat(int, int, const char *, struct stat *, int);
int __fxstatat64(int, int, const char *, struct stat64 *, int);
pid_t __fork(void);
void __longjmp_chk(jmp_buf, int) __attribute__((noreturn));
int __sigaction(int, const struct sigaction *, struct sigaction *);
sighandler_t bsd_signal(int, sighandler_t);
sighandler_t __sysv_signal(int, sighandler_t);
void __backtrace_symbols_fd(void *const *, int, int);

/* The rest is in a process's own files only: /dev/null has locks, too, but shares them. */
static int is_file(int fd)
{
	struct stat st;

	return raw(SYS_fstat, fd, (long)&st, 0, 0) == 0 && S_ISREG(st.st_mode);
}

static inline long size_of(long r, const struct stat *st)
{
	if (r == 0 && S_ISREG(st->st_mode))
		also(st->st_size);
	return r;
}

static inline long ask_stat(int how, int fd)
{
	struct statx stx = {0};
	struct stat st = {0};
	long r;

	switch (how) {
	case 0:
		return size_of(fstat(fd, &st), &st);
	case 1:
		return size_of(fstat64(fd, (struct stat64 *)&st), &st);
	case 2:
		return size_of(fd % 2 ? fstatat64(fd, "", (struct stat64 *)&st, AT_EMPTY_PATH)
				      : fstatat(fd, "", &st, AT_EMPTY_PATH),
			       &st);
	case 3:
		return size_of(fd % 2 ? __fxstat64(1, fd, (struct stat64 *)&st)
				      : __fxstat(1, fd, &st),
			       &st);
	case 4:
		return size_of(fd % 2 ? __fxstatat64(1, fd, "", (struct stat64 *)&st, AT_EMPTY_PATH)
				      : __fxstatat(1, fd, "", &st, AT_EMPTY_PATH),
			       &st);
	case 5:
		return size_of(syscall(SYS_fstat, fd, &st), &st);
	default:
		r = statx(fd, "", AT_EMPTY_PATH, STATX_SIZE | STATX_TYPE, &stx);
		if (r == 0 && S_ISREG(stx.stx_mode))
			also((long)stx.stx_size);
		return r;
	}
}

/* An offset below 0: none is given. */
static inline long send_file(int how, int to, int from, long at, size_t n)
{
	off_t o = at, *p = at >= 0 ? &o : NULL;
	long r = how == 0   ? sendfile(to, from, p, n)
		 : how == 1 ? sendfile64(to, from, p, n)
			    : syscall(SYS_sendfile, to, from, p, n);

	also(o);
	return r;
}

static inline long copy_range(int how, int from, long x, int to, long y, size_t n)
{
	off64_t a = x, b = y, *p = x >= 0 ? &a : NULL, *q = y >= 0 ? &b : NULL;
	long r = how ? syscall(SYS_copy_file_range, from, p, to, q, n, 0)
		     : copy_file_range(from, p, to, q, n, 0);

	also(a);
	also(b);
	return r;
}

/* Through a pipe of its own, which is emptied at once: what lies in it changes with the file. */
static inline long splice_from(int how, int fd, long at, size_t n)
{
	off64_t o = at, *q = at >= 0 ? &o : NULL;
	int p[2], e;
	long r;

	if (n > ROOM || pipe2(p, O_NONBLOCK))
		return NOT_MADE;
	r = how ? syscall(SYS_splice, fd, q, p[1], NULL, n, SPLICE_F_NONBLOCK)
		: splice(fd, q, p[1], NULL, n, SPLICE_F_NONBLOCK);
	e = errno;
	also(o);
	if (r > 0)
		got(read(p[0], room, ROOM), room);
	close(p[0]);
	close(p[1]);
	errno = e;
	return r;
}
static inline long splice_to(int how, int fd, long at, size_t n, long seed)
{
	off64_t o = at, *q = at >= 0 ? &o : NULL;
	int p[2], e;
	long r = NOT_MADE;

	if (n > ROOM || pipe2(p, O_NONBLOCK))
		return NOT_MADE;
	if (write(p[1], fill(0, n, seed), n) == (long)n)
		r = how ? syscall(SYS_splice, p[0], NULL, fd, q, n, SPLICE_F_NONBLOCK)
			: splice(p[0], NULL, fd, q, n, SPLICE_F_NONBLOCK);
	e = errno;
	also(o);
	close(p[0]);
	close(p[1]);
	errno = e;
	return r;
}

static inline long how_many(int how, int fd)
{
	int n = -5;
	long r = how ? syscall(SYS_ioctl, fd, FIONREAD, &n) : ioctl(fd, FIONREAD, &n);

	also(n);
	return r;
}

/* Locks of open file descriptions meet each other in one process: where they lie can be seen. */
static inline long lock(int how, int fd, int command, int type, int whence, long from, long n)
{
	struct flock l = {
		.l_type = (short)type, .l_whence = (short)whence, .l_start = from, .l_len = n};
	long r;

	if (!is_file(fd))
		return NOT_MADE;
	r = how == 0   ? fcntl(fd, command, &l)
	    : how == 1 ? fcntl64(fd, command, &l)
		       : syscall(SYS_fcntl, fd, command, &l);
	if (command == F_OFD_GETLK && r == 0) {
		also(l.l_type);
		also(l.l_whence);
		also(l.l_start);
		also(l.l_len);
	}
	return r;
}

static inline long pipe_of_own(void)
{
	int p[2] = {-1, -1};
	long r = pipe2(p, O_NONBLOCK);

	also(p[1]);
	return r ? r : p[0];
}

#endif
