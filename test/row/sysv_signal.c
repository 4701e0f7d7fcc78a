/* SPDX-License-Identifier: MIT */
#define ROW_COUNTS_LOST
#include "signals.h"

handler __sysv_signal(int, handler);

static void one(handler (*set)(int, handler), int fd)
{
	CHECK(set(SIGUSR1, on_signal) == SIG_DFL);
	CHECK((~action_now().sa_flags & (SA_RESETHAND | SA_NODEFER)) == 0);
	is_ours(fd, 1);
	is_default(); /* once only, then the default again: it kills */
	kills();
	CHECK(set(SIGUSR1, SIG_IGN) == SIG_DFL);
	is_ignored();
	CHECK(set(SIGUSR1, SIG_DFL) == SIG_IGN);
	errno = 0;
	CHECK(set(SIGKILL, on_signal) == SIG_ERR && errno == EINVAL);
	kills();
}

static void row(void)
{
	int fd = held("a", 100);

	one(sysv_signal, fd);
	one(__sysv_signal, fd);
}
