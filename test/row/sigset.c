/* SPDX-License-Identifier: MIT */
#define ROW_COUNTS_LOST
#include "signals.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static void row(void)
{
	sigset_t blocked;
	int fd = held("a", 100);

	CHECK(sigset(SIGUSR1, SIG_HOLD) == SIG_DFL); /* only blocks */
	is_untouched();
	CHECK(!sigprocmask(SIG_SETMASK, NULL, &blocked) && sigismember(&blocked, SIGUSR1) == 1);
	CHECK(sigset(SIGUSR1, on_signal) == SIG_HOLD); /* unblocks */
	is_ours(fd, 3);
	CHECK(action_now().sa_handler == on_signal);
	CHECK(sigset(SIGUSR1, SIG_HOLD) == on_signal);
	caught = 0;
	GIVES(raise(SIGUSR1), 0);
	CHECK(caught == 0);
	CHECK(sigset(SIGUSR1, on_signal) == SIG_HOLD);
	CHECK(caught == 1);
	CHECK(sigset(SIGUSR1, SIG_IGN) == on_signal);
	is_ignored();
	CHECK(sigset(SIGUSR1, SIG_DFL) == SIG_IGN);
	is_default();
	kills();
	errno = 0;
	CHECK(sigset(SIGKILL, on_signal) == SIG_ERR && errno == EINVAL);
}
