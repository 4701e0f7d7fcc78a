/* SPDX-License-Identifier: MIT */
#define ROW_COUNTS_LOST
#include "signals.h"

handler bsd_signal(int, handler);
handler ssignal(int, handler);

static void one(handler (*set)(int, handler), int fd)
{
	struct sigaction a;

	CHECK(set(SIGUSR1, on_signal) == SIG_DFL);
	a = action_now();
	CHECK(a.sa_handler == on_signal && (a.sa_flags & SA_RESTART));
	is_ours(fd, 3);
	CHECK(set(SIGUSR1, SIG_IGN) == on_signal);
	is_ignored();
	CHECK(set(SIGUSR1, on_signal) == SIG_IGN);
	is_ours(fd, 1);
	errno = 0;
	CHECK(set(SIGKILL, on_signal) == SIG_ERR && errno == EINVAL);
	errno = 0;
	CHECK(set(SIGUSR1, SIG_ERR) == SIG_ERR && errno == EINVAL);
	CHECK(set(SIGUSR1, SIG_DFL) == on_signal);
	is_default();
	kills();
}

static void row(void)
{
	int fd = held("a", 100);

	is_untouched();
	one(signal, fd);
	one(bsd_signal, fd);
	one(ssignal, fd);
}
