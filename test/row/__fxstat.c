/* SPDX-License-Identifier: MIT */
/* What programs built before glibc 2.33 call. */
#include "stat.h"
#include <dlfcn.h>

static int stat_of(int fd, struct stat *st)
{
	static int (*call[2])(int, int, struct stat *);
	static int turn;

	if (!call[0]) {
		int saved = errno;

		call[0] = (int (*)(int, int, struct stat *))dlsym(RTLD_DEFAULT, "__fxstat");
		call[1] = (int (*)(int, int, struct stat *))dlsym(RTLD_DEFAULT, "__fxstat64");
		errno = saved;
		if (!call[0] || !call[1])
			SKIP("this libc has no __fxstat");
	}
#ifdef __x86_64__
	return call[turn++ % 2](1, fd, st);
#else
	return call[turn++ % 2](0, fd, st);
#endif
}
