/* SPDX-License-Identifier: MIT */
/*
 * Floor 5, entry points: ways out of a signal handler that do not lead back, and cancellation
 * anywhere.
 */
#include "real.h"
#include "flight.h"

static inline void jump(void)
{
	if (unlikely(tls.flight || tls.by_syscall))
		flight_jump();
}

EXPORT void longjmp(jmp_buf env, int value)
{
	jump();
	real_longjmp(env, value);
	__builtin_unreachable();
}
ALIAS_OF(_longjmp, longjmp);
ALIAS_OF(siglongjmp, longjmp);

EXPORT void __longjmp_chk(jmp_buf env, int value)
{
	jump();
	real___longjmp_chk(env, value);
	__builtin_unreachable();
}

EXPORT void pthread_exit(void *result)
{
	jump();
	real_pthread_exit(result);
	__builtin_unreachable();
}

EXPORT void thrd_exit(int result)
{
	jump();
	real_thrd_exit(result);
	__builtin_unreachable();
}

EXPORT int pthread_setcanceltype(int type, int *old)
{
	int r = real_pthread_setcanceltype(type, old);

	if (!r)
		tls.async_cancel = type == PTHREAD_CANCEL_ASYNCHRONOUS;
	return r;
}
