/* SPDX-License-Identifier: MIT */
/*
 * seekless-ahead.so: stands in front of libc's reads at an offset of their own, and tells libseekless.so of
 * each, which may then read ahead (ahead.h).  A library by itself, because without it those calls are
 * not to cost anything: libseekless.so does not export them.  It is to be named before libseekless.so
 * in LD_PRELOAD; without that one it passes all on.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define ALIAS_OF(name, of) EXPORT __typeof__(of) name __attribute__((alias(#of)))
#define likely(x) __builtin_expect(!!(x), 1)

extern uint64_t seekless_pread_begins(int fd) __attribute__((weak));
extern void seekless_pread_ended(int fd, int64_t off, long r, uint64_t began) __attribute__((weak));
extern void __chk_fail(void) __attribute__((noreturn));
extern ssize_t __pread_chk(int fd, void *buf, size_t n, off_t off, size_t size);

/* The oldest version of dlsym that there is: the next glibc's are not to be needed. */
extern void *oldest_dlsym(void *handle, const char *name);
#if defined(__x86_64__)
__asm__(".symver oldest_dlsym, dlsym@GLIBC_2.2.5");
#else
__asm__(".symver oldest_dlsym, dlsym@GLIBC_2.17");
#endif

/* Before the constructor, for malloc's start-up, say. */
static ssize_t first_pread(int fd, void *buf, size_t n, off_t off)
{
	return syscall(SYS_pread64, fd, buf, n, off);
}
static ssize_t first_preadv(int fd, const struct iovec *iov, int n, off_t off)
{
	return syscall(SYS_preadv, fd, iov, (long)n, off, 0);
}
static __typeof__(pread) *real_pread = first_pread;
static __typeof__(preadv) *real_preadv = first_preadv;

__attribute__((constructor)) static void start(void)
{
	void *p = oldest_dlsym(RTLD_NEXT, "pread"), *v = oldest_dlsym(RTLD_NEXT, "preadv");

	if (p)
		real_pread = (__typeof__(pread) *)p;
	if (v)
		real_preadv = (__typeof__(preadv) *)v;
}

static uint64_t begins(int fd)
{
	return likely(seekless_pread_begins) ? seekless_pread_begins(fd) : 0;
}
static ssize_t ended(int fd, off_t off, ssize_t r, uint64_t began)
{
	if (began)
		seekless_pread_ended(fd, off, r, began);
	return r;
}

EXPORT ssize_t pread(int fd, void *buf, size_t n, off_t off)
{
	uint64_t began = begins(fd);

	return ended(fd, off, real_pread(fd, buf, n, off), began);
}
ALIAS_OF(pread64, pread);
ALIAS_OF(__pread64, pread);

EXPORT ssize_t preadv(int fd, const struct iovec *iov, int n, off_t off)
{
	uint64_t began = begins(fd);

	return ended(fd, off, real_preadv(fd, iov, n, off), began);
}
ALIAS_OF(preadv64, preadv);

EXPORT ssize_t __pread_chk(int fd, void *buf, size_t n, off_t off, size_t size)
{
	if (n > size)
		__chk_fail();
	return pread(fd, buf, n, off);
}
ALIAS_OF(__pread64_chk, __pread_chk);
