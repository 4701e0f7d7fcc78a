/* SPDX-License-Identifier: MIT */
/* The like, of libc's longer functions and of what concerns the process as a whole. */
#ifndef SEEKLESS_DIFF_ACTS_MORE_H
#define SEEKLESS_DIFF_ACTS_MORE_H

#include "acts.h"
#include <poll.h>

/* A file without a name, made by libc; the name that it had for a moment tells nothing. */
static inline long temporary(int how)
{
	char name[] = "t.XXXXXX", with_end[] = "t.XXXXXX.end";
	int e, fd;

	switch (how) {
	case 0:
		fd = mkstemp(name);
		break;
	case 1:
		fd = mkstemp64(name);
		break;
	case 2:
		fd = mkostemp(name, O_CLOEXEC);
		break;
	case 3:
		fd = mkostemp64(name, O_APPEND);
		break;
	case 4:
		fd = mkstemps(with_end, 4);
		break;
	case 5:
		fd = mkstemps64(with_end, 4);
		break;
	case 6:
		fd = mkostemps(with_end, 4, O_APPEND);
		break;
	default:
		fd = mkostemps64(with_end, 4, O_CLOEXEC);
	}
	e = errno;
	unlink(how < 4 ? name : with_end);
	errno = e;
	return loose(fd);
}

static inline long shared_memory(int flags)
{
	char name[40];
	int fd, e;

	snprintf(name, sizeof name, "/seekless-diff-%d", (int)raw(SYS_getpid, 0, 0, 0, 0));
	fd = shm_open(name, O_CREAT | flags, 0600);
	e = errno;
	shm_unlink(name);
	errno = e;
	return loose(fd);
}

static inline long open_how(const char *name, unsigned long flags)
{
	struct open_how how = {.flags = flags, .mode = flags & O_CREAT ? 0600 : 0};

	return syscall(SYS_openat2, AT_FDCWD, name, &how, sizeof how);
}

/* By the handle of a file that is there already. */
static inline long by_handle(const char *name, int flags)
{
	union {
		struct file_handle h;
		char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
	} u = {.h.handle_bytes = MAX_HANDLE_SZ};
	long mount = raw(SYS_openat, AT_FDCWD, (long)name, O_RDONLY, 0), r = NOT_MADE;
	int id;

	if (mount >= 0 && name_to_handle_at(AT_FDCWD, name, &u.h, &id, 0) == 0) {
		if (flags & 1)
			r = syscall(SYS_open_by_handle_at, (int)mount, &u.h, flags & ~1);
		else
			r = open_by_handle_at((int)mount, &u.h, flags);
	}
	raw(SYS_close, mount, 0, 0, 0);
	return r == NOT_MADE ? loose(r) : r;
}

static inline long cancel_type(int asynchronous)
{
	int old = -1, e;

	cancel_now = asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
	e = pthread_setcanceltype(cancel_now, &old);
	also(old == PTHREAD_CANCEL_ASYNCHRONOUS);
	return e;
}

/* The number of the process itself is one that pidfd_getfd may be asked for. */
static inline long fetched(int how, int fd)
{
	long self = raw(SYS_pidfd_open, raw(SYS_getpid, 0, 0, 0, 0), 0, 0, 0), r = NOT_MADE;
	extern int pidfd_getfd(int, int, unsigned) __attribute__((weak));

	if (self < 0)
		return r;
	if (how)
		r = syscall(SYS_pidfd_getfd, (int)self, fd, 0);
	else if (pidfd_getfd)
		r = pidfd_getfd((int)self, fd, 0);
	raw(SYS_close, self, 0, 0, 0);
	return r;
}

static inline __attribute__((format(printf, 3, 4))) long print_list(int how, int fd,
								    const char *form, ...)
{
	va_list ap;
	long r;

	va_start(ap, form);
	r = how ? __vdprintf_chk(fd, 1, form, ap) : vdprintf(fd, form, ap);
	va_end(ap);
	return r;
}

static inline long print_event(int how, int fd)
{
	eventfd_t v = 0x6162636465666768;
	void *frame[1] = {NULL};
	long r = 0;

	if (how == 0) {
		r = eventfd_read(fd, &v);
		also((long)v);
	} else if (how == 1) {
		r = eventfd_write(fd, v);
	} else {
		(how == 2 ? backtrace_symbols_fd : __backtrace_symbols_fd)(frame, 1, fd);
		errno = MARK;
	}
	return r;
}

static inline long limit_size(long size)
{
	struct rlimit l;

	getrlimit(RLIMIT_FSIZE, &l);
	l.rlim_cur = size < 0 ? RLIM_INFINITY : (rlim_t)size;
	return setrlimit(RLIMIT_FSIZE, &l);
}

/* ---- streams ---- */

static int is_pipe[STREAMS];
/* What popen has made is for pclose only. */
#define WITH_FILE(i, expression) (is_pipe[i] ? NOT_MADE : WITH(i, expression))

static inline long open_pipe(int i, int closed)
{
	struct pollfd gone = {.events = POLLIN};

	S(i) = popen("exit 3", closed ? "re" : "r");
	is_pipe[i] = S(i) != NULL;
	gone.fd = NUMBER(S(i));
	poll(&gone, 1, -1); /* whoever reads does not have to wait, which F_SETFL may forbid */
	return NUMBER(S(i));
}
/* Not of a pipe: it would be opened so that one waits. */
static inline long open_same(int i, const char *mode)
{
	if (!is_file(fileno(S(i))))
		return NOT_MADE;
	S(i) = freopen(NULL, mode, S(i));
	return NUMBER(S(i));
}
static inline long close_stream(int i)
{
	FILE *f = S(i);
	int was_pipe = is_pipe[i];

	S(i) = NULL;
	is_pipe[i] = 0;
	return was_pipe ? pclose(f) : fclose(f);
}

static inline long entry(void)
{
	return folder ? loose(readdir(folder) ? 1 : 0) : NOT_MADE;
}
static inline long close_folder(void)
{
	DIR *d = folder;

	folder = NULL;
	return d ? loose(closedir(d)) : NOT_MADE;
}

/* ---- what makes a process one that is no longer followed ---- */

static inline long filter_nothing(int how)
{
	struct sock_filter all = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = {1, &all};

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return how ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)
		   : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
static inline long ring(void)
{
	return syscall(SYS_io_uring_setup, 0, NULL);
}
static inline long deep_library(void)
{
	return loose(dlopen("libm.so.6", RTLD_NOW | RTLD_DEEPBIND) ? 0 : -4);
}

/* ---- what the program sees of the signal that the library may use ---- */

static inline long action_of(int how, int sig)
{
	struct sigaction old = {0};
	long r = 0;

	if (how == 0)
		r = sigaction(sig, NULL, &old);
	else if (how == 3)
		r = __sigaction(sig, NULL, &old);
	else if (how == 1)
		r = syscall(SYS_rt_sigaction, sig, NULL, &old, 8); /* the handler comes first */
	else
		old.sa_handler = signal(sig, SIG_IGN);
	also((long)old.sa_handler < 2 ? (long)old.sa_handler : 9);
	return r;
}
static inline long ignore(int how, int sig)
{
	switch (how) {
	case 0:
		return (long)signal(sig, SIG_IGN) > 1 ? 9 : 0;
	case 1:
		return (long)sysv_signal(sig, SIG_IGN) > 1 ? 9 : 0;
	case 5:
		return (long)__sysv_signal(sig, SIG_IGN) > 1 ? 9 : 0;
	case 6:
		return (long)bsd_signal(sig, SIG_IGN) > 1 ? 9 : 0;
	case 7:
		return (long)ssignal(sig, SIG_IGN) > 1 ? 9 : 0;
	case 2:
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
		return sigignore(sig);
	case 3:
		return (long)sigset(sig, SIG_IGN) > 1 ? 9 : 0;
	default:
		return siginterrupt(sig, 1);
#pragma GCC diagnostic pop
	}
}

#endif
