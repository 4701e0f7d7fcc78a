/* SPDX-License-Identifier: MIT */
/*
 * Floor 1, libc: a pointer real_NAME for each row of entries.def, never NULL.  Until our
 * constructor ran it leads to the system call itself or to a stub that looks the function up;
 * afterwards to the next definition in load order, so that other preloaded libraries still see the
 * call.
 */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* sigset, sigignore: ours to wrap */
#ifndef REAL_H
#define REAL_H

#include "ground.h"
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <utmp.h>
#include <wordexp.h>
#include <execinfo.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

/* Exported by libc, declared by no header of the oldest or the newest release... */
struct sigvec_bsd;
extern ssize_t __read_chk(int, void *, size_t, size_t);
extern int __open_2(const char *, int);
extern int __open64_2(const char *, int);
extern int __openat_2(int, const char *, int);
extern int __openat64_2(int, const char *, int);
extern int __fxstat(int, int, struct stat *);
extern int __fxstatat(int, int, const char *, struct stat *, int);
extern int __dprintf_chk(int, int, const char *, ...);
extern int __vdprintf_chk(int, int, const char *, va_list);
extern int pidfd_spawn(int *, const char *, const posix_spawn_file_actions_t *,
		       const posix_spawnattr_t *, char *const[], char *const[]);
extern int pidfd_spawnp(int *, const char *, const posix_spawn_file_actions_t *,
			const posix_spawnattr_t *, char *const[], char *const[]);
extern int pidfd_getfd(int, int, unsigned);
extern int sigvec(int, const struct sigvec_bsd *, struct sigvec_bsd *);
/* ... and what glibc 2.31 does not have: there the library can be built, too, for newer ones. */
extern int close_range(unsigned, unsigned, int);
extern void closefrom(int);
extern pid_t _Fork(void);
extern int execveat(int, const char *, char *const[], char *const[], int);
/* Of libstdc++: std::__basic_file<char>::file(). */
extern FILE *_ZNSt12__basic_fileIcE4fileEv(void *basic_file);
/* Of liburing. */
extern int io_uring_queue_init(unsigned, void *ring, unsigned flags);
extern int io_uring_queue_init_params(unsigned, void *ring, void *params);
extern int io_uring_queue_init_mem(unsigned, void *ring, void *params, void *buf, size_t);
extern int io_uring_setup(unsigned, void *params);
extern void __chk_fail(void) __attribute__((noreturn));
extern void __longjmp_chk(jmp_buf, int) __attribute__((noreturn));
extern void thrd_exit(int) __attribute__((noreturn));

#include "boot.h"
#define ENTRY(name, first, kind, since, settings)                                                  \
	extern __typeof__(name) *real_##name __attribute__((visibility("hidden")));
#define ALIAS(name, of)
#include "entries.def"
#undef ENTRY
#undef ALIAS

/* Looked up too, but not stood in front of. */
extern __typeof__(pread) *real_pread;
extern __typeof__(preadv) *real_preadv;
extern void (*real_testcancel)(void);

/* The result is for hot.bare. */
const char *real_resolve(void);
/*
 * The function behind ours that a library other than libc has: next in load order, or among what
 * the caller was linked with, where that was loaded for itself.  NULL if there is none.
 */
void *real_behind(const char *name, const void *caller);
/* The function of a library by this name, if that is loaded. */
void *real_in_library(const char *library, const char *name);
/* The function that this address is in, if a library exports it. */
const char *real_name_at(const void *address);

extern bool real_is_libcs; /* libc's own functions come next, with several threads, too */

/* How each function is counted when it passes, by name: KIND_read is C_pass_read. */
#include "count.h"
enum {
#define ENTRY(name, first, kind, since, settings) KIND_##name = C_##kind,
#define ALIAS(name, of)
#include "entries.def"
#undef ENTRY
#undef ALIAS
};

/*
 * Counts a call on a descriptor that we do not follow, and yields the real function.  What came by
 * syscall() ends in the system call: libc's function may be a cancellation point, and another
 * library's may be made by syscall() itself.
 */
#define PASS(name)                                                                                 \
	(count_pass(KIND_##name, R_stranger), unlikely(tls.by_syscall) ? boot_##name : real_##name)

/* Cancellation that may come at any instruction waits from here to there. */
HOT int cancel_later(void)
{
	int type = PTHREAD_CANCEL_DEFERRED;

	if (unlikely(tls.async_cancel))
		real_pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
	return type;
}
HOT void cancel_as_before(int type)
{
	if (unlikely(type != PTHREAD_CANCEL_DEFERRED))
		real_pthread_setcanceltype(type, &type);
}

/* The third argument of open, which is there only with some flags. */
#define MODE_OF(last, mode)                                                                        \
	do {                                                                                       \
		va_list ap_;                                                                       \
		va_start(ap_, last);                                                               \
		mode = __OPEN_NEEDS_MODE(last) ? va_arg(ap_, mode_t) : 0;                          \
		va_end(ap_);                                                                       \
	} while (0)

#undef ALIAS_OF
#define ALIAS_OF(name, of)                                                                         \
	__asm__(".globl " #name "\n\t.type " #name ", %function\n\t.set " #name ", " #of)

#endif
