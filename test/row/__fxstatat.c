/* SPDX-License-Identifier: MIT */
#include "stat.h"
#include <dlfcn.h>

static int stat_of(int fd, struct stat *st)
{
	static int (*call)(int, int, const char *, struct stat *, int);

	if (!call) {
		int saved = errno;

		call = (int (*)(int, int, const char *, struct stat *, int))dlsym(RTLD_DEFAULT,
										  "__fxstatat");
		errno = saved;
		if (!call)
			SKIP("this libc has no __fxstatat");
	}
#ifdef __x86_64__
	return call(1, fd, "", st, AT_EMPTY_PATH);
#else
	return call(0, fd, "", st, AT_EMPTY_PATH);
#endif
}
