/* SPDX-License-Identifier: MIT */
#define ROW_COUNTS_LOST /* SIGUSR1 is the program's here */
#include "signals.h"

static void with_info(int sig, siginfo_t *info, void *context)
{
	CHECK(sig == SIGUSR1 && info->si_pid == getpid() && context);
	caught += 10;
}

static void row(void)
{
	struct sigaction a = {.sa_handler = on_signal}, old, now;
	int fd = held("a", 100);

	is_untouched();
	FAILS(sigaction(SIGKILL, &a, NULL), EINVAL);
	FAILS(sigaction(0, &a, NULL), EINVAL);
	FAILS(sigaction(65, &a, NULL), EINVAL);
	is_untouched();

	sigaddset(&a.sa_mask, SIGUSR2);
	a.sa_flags = SA_RESTART | SA_NODEFER;
	GIVES(sigaction(SIGUSR1, &a, &old), 0);
	CHECK(old.sa_handler == SIG_DFL && old.sa_flags == 0);
	now = action_now();
	CHECK(now.sa_handler == on_signal &&
	      (now.sa_flags & ~0x04000000) == a.sa_flags); /* SA_RESTORER is libc's */
	CHECK(sigismember(&now.sa_mask, SIGUSR2) == 1 &&
	      sigismember(&now.sa_mask, SIGUSR1) == 0);
	is_ours(fd, 3);

	a = (struct sigaction){.sa_sigaction = with_info,
			       .sa_flags = SA_SIGINFO | SA_RESETHAND};
	GIVES(sigaction(SIGUSR1, &a, &old), 0);
	CHECK(old.sa_handler == on_signal);
	caught = 0;
	GIVES(raise(SIGUSR1), 0);
	CHECK(caught == 10);
	is_default(); /* SA_RESETHAND: back to the default, the real one */
	kills();

	a = (struct sigaction){.sa_handler = SIG_IGN};
	GIVES(sigaction(SIGUSR1, &a, NULL), 0);
	is_ignored();
	GIVES(sigaction(SIGUSR1, &old, NULL), 0); /* what was saved is put back */
	is_ours(fd, 2);
	a.sa_handler = SIG_DFL;
	GIVES(sigaction(SIGUSR1, &a, &old), 0);
	CHECK(old.sa_handler == on_signal);
	kills();
}
