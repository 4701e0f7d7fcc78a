/* SPDX-License-Identifier: MIT */
/*
 * Floor 5, entry points: code whose calls do not come through us, once it is there.  A library that
 * is loaded with RTLD_DEEPBIND finds libc's functions before ours; io_uring makes its calls in the
 * kernel.  Then nothing is followed any more, unless the user has said that the flag may be
 * dropped.
 */
#include "config.h"
#include "fdtab.h"
#include "real.h"

/* Called by vfork.S, which has dlopen: the flags to go on with. */
int loader_deepbind(int flags) __attribute__((visibility("hidden")));
int loader_deepbind(int flags)
{
	if (!config.on)
		return flags;
	if (config.drop_deepbind)
		return flags & ~RTLD_DEEPBIND;
	fdtab_retire(R_deepbind);
	return flags;
}

/* ---- liburing, which makes its system calls itself ---- */

#define RING(name, parameters, ...)                                                                \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		__typeof__(&name) behind = real_behind(#name, __builtin_return_address(0));        \
                                                                                                   \
		if (config.on)                                                                     \
			fdtab_retire(R_uring);                                                     \
		return behind ? behind(__VA_ARGS__) : -ENOSYS;                                     \
	}
RING(io_uring_queue_init, (unsigned n, void *ring, unsigned flags), n, ring, flags)
RING(io_uring_queue_init_params, (unsigned n, void *ring, void *params), n, ring, params)
RING(io_uring_queue_init_mem, (unsigned n, void *ring, void *params, void *buf, size_t size), n,
     ring, params, buf, size)
RING(io_uring_setup, (unsigned n, void *params), n, params)
