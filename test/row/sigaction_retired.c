// SPDX-License-Identifier: MIT
// runs: bare on
/*
 * A process whose descriptors are no longer followed (here since its table may be another thread's,
 * too) still has its own action of SIGUSR1, by whatever door it asks.
 */
#include "test.h"
#include <sched.h>
#include <sys/syscall.h>

struct raw_action {
	void *handler;
	unsigned long flags;
	void *restorer;
	unsigned long mask;
};

static void *handler_now(void)
{
	struct raw_action now = {.flags = 77};

	CHECK_EQ(syscall(SYS_rt_sigaction, SIGUSR1, NULL, &now, sizeof now.mask), 0);
	return now.handler;
}

int main(void)
{
	struct sigaction seen;
	struct raw_action new = {.handler = SIG_IGN};

	CHECK(handler_now() == SIG_DFL);
	CHECK_EQ(unshare(CLONE_FILES), 0);
	CHECK(handler_now() == SIG_DFL);
	CHECK_EQ(sigaction(SIGUSR1, NULL, &seen), 0);
	CHECK(seen.sa_handler == SIG_DFL);
	CHECK_EQ(syscall(SYS_rt_sigaction, SIGUSR1, &new, NULL, sizeof new.mask), 0);
	CHECK_EQ(raise(SIGUSR1), 0);
	CHECK(handler_now() == SIG_IGN);
	return 0;
}
