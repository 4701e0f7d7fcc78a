/* SPDX-License-Identifier: MIT */
/* Floor 1, libc: the one place that looks symbols up. */
#include "real.h"
#include "boot.h"
#include "missing.h"
#include <gnu/libc-version.h>
#include <string.h>

/* The oldest version of these, which every libdl and every later libc has. */
#if defined(__x86_64__)
#define OLDEST "GLIBC_2.2.5"
#else
#define OLDEST "GLIBC_2.17"
#endif
extern void *oldest_dlsym(void *handle, const char *name);
extern char *oldest_dlerror(void);
__asm__(".symver oldest_dlsym, dlsym@" OLDEST);
extern int oldest_dladdr(const void *address, Dl_info *info);
__asm__(".symver oldest_dlerror, dlerror@" OLDEST);
extern int oldest_dlclose(void *handle);
__asm__(".symver oldest_dladdr, dladdr@" OLDEST);
__asm__(".symver oldest_dlclose, dlclose@" OLDEST);
/*
 * Before glibc 2.34 only where libpthread is.  Not looked up, since a look-up that fails calls malloc.
 */
#if __GLIBC_PREREQ(2, 34)
extern void oldest_testcancel(void) __attribute__((weak));
__asm__(".symver oldest_testcancel, pthread_testcancel@" OLDEST);
#else /* the linker knows no version of what is not there */
#pragma weak pthread_testcancel
#define oldest_testcancel pthread_testcancel
#endif
#define NEXT ((void *)-1L) /* RTLD_NEXT */

static ssize_t boot_pread(int fd, void *buf, size_t n, off_t off)
{
	return to_libc(RAW4(SYS_pread64, fd, buf, n, off));
}
static ssize_t boot_preadv(int fd, const struct iovec *iov, int n, off_t off)
{
	return to_libc(RAW6(SYS_preadv, fd, iov, n, off, 0, 0));
}
static void boot_testcancel(void)
{
}
#define ENTRY(name, first, kind, since, settings) __typeof__(name) *real_##name = boot_##name;
#define ALIAS(name, of)
#include "entries.def"
#undef ENTRY
#undef ALIAS
__typeof__(pread) *real_pread = boot_pread;
__typeof__(preadv) *real_preadv = boot_preadv;
void (*real_testcancel)(void) = boot_testcancel;

static const struct row {
	const char *name;
	void **slot;
	void *missing; /* stands in where there is none; NULL: what is there already, for good */
	int since;
} rows[] = {
#define RAW(name) NULL
#define LIBC(name) (void *)missing
#define OWN(name) (void *)own_##name
#define NEVER 1000
#define ENTRY(name, first, kind, since, settings)                                                  \
	{#name, (void **)&real_##name, first(name), since},
#define ALIAS(name, of)
#include "entries.def"
#undef ENTRY
#undef ALIAS
	{"pread64", (void **)&real_pread, NULL, 0},
	{"preadv64", (void **)&real_preadv, NULL, 0},
};

bool real_is_libcs;

/* Before glibc 2.34, libpthread has copies of libc's own. */
static bool is_libcs(const void *function, const Dl_info *libc)
{
	Dl_info in;

	return oldest_dladdr(function, &in) &&
	       (in.dli_fbase == libc->dli_fbase || strstr(in.dli_fname, "/libpthread"));
}
/*
 * libc's word on whether there is one thread only, if its own functions come next.  Another library that
 * is preloaded behind us is to see its calls, so all of these or none.
 */
static const char *bare_resolve(int minor)
{
	const void *const calls[] = {real_open,	 real_openat, real_close,  real_lseek, real_read,
				     real_write, real_readv,  real_writev, real_pread, real_preadv};
	Dl_info libc;

	if (!oldest_dladdr((void *)gnu_get_libc_version, &libc))
		return NULL;
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (!is_libcs(calls[i], &libc))
			return NULL;
	real_is_libcs = true;
	return minor < 32 ? NULL : oldest_dlsym(RTLD_DEFAULT, "__libc_single_threaded");
}

void *real_behind(const char *name, const void *caller)
{
	void *found = oldest_dlsym(NEXT, name);
	Dl_info in;

	if (found || !oldest_dladdr(caller, &in))
		return found;
	return real_in_library(in.dli_fname, name);
}

void *real_in_library(const char *library, const char *name)
{
	void *handle = real_dlopen(library, RTLD_LAZY | RTLD_NOLOAD), *found = NULL;

	if (handle) {
		found = oldest_dlsym(handle, name);
		oldest_dlclose(handle);
	}
	oldest_dlerror();
	return found;
}

const char *real_name_at(const void *address)
{
	Dl_info in;

	return oldest_dladdr(address, &in) ? in.dli_sname : NULL;
}

const char *real_resolve(void)
{
	const char *bare;
	int minor = atoi(gnu_get_libc_version() + 2); /* "2.36" */
	bool failed = false;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		void *found = minor < rows[i].since ? NULL : oldest_dlsym(NEXT, rows[i].name);

		if (found)
			__atomic_store_n(rows[i].slot, found, __ATOMIC_RELEASE);
		else if (rows[i].missing)
			__atomic_store_n(rows[i].slot, rows[i].missing, __ATOMIC_RELEASE);
		failed |= !found && minor >= rows[i].since;
	}
	if (oldest_testcancel)
		real_testcancel = oldest_testcancel;
	bare = bare_resolve(minor);
	if (failed)
		oldest_dlerror(); /* the program's next dlerror() must not tell of ours */
	return bare;
}
