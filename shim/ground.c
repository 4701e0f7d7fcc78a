/* SPDX-License-Identifier: MIT */
/* Floor 0, ground: the few parts that are not worth inlining. */
#include "ground.h"
#include <string.h>
#include <sys/auxv.h>

__thread struct tls tls;

#ifdef SEEKLESS_TEST
EXPORT void (*seekless_hook)(const char *point, int fd);
#endif

int ground_ask_tid(void)
{
	tls.tid = (int)RAW0(SYS_gettid);
	return tls.tid;
}

/* The kernel reads the new mask, or says EFAULT, before it looks at what is to be done with it. */
static bool is_readable(uintptr_t at)
{
	return RAW4(SYS_rt_sigprocmask, -1, at & ~7UL, NULL, sizeof(sigmask_t)) == -EINVAL;
}

/*
 * What lies a little above our own frame is this thread's stack, and there: most structures that a
 * program hands to the kernel are.  Elsewhere the kernel is asked about each page.
 */
bool ground_peek(void *to, const void *from, size_t n)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0), at = (uintptr_t)from;

	if (at - here >= 4096)
		for (uintptr_t end = at + n; at < end; at = (at | 4095) + 1)
			if (!is_readable(at))
				return false;
	STEP_PEEK(from);
	memcpy(to, from, n);
	return true;
}

long ground_fail(long r)
{
	errno = (int)-r;
	return -1;
}

bool ground_can_swap(void)
{
#if defined(__aarch64__)
	return getauxval(AT_HWCAP) & HWCAP_ATOMICS;
#else
	return true;
#endif
}
