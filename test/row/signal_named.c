/* SPDX-License-Identifier: MIT */
// runs: bare named
/*
 * No row of the table: the user has named the signal, so the report and the program's own action
 * both run, and the program sees its own only.
 */
#include "signals.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static void with_info(int sig, siginfo_t *info, void *context)
{
	CHECK(sig == SIGUSR1 && info->si_pid == getpid() && context);
	caught += 10;
}

static void raised(int times)
{
	caught = 0;
	GIVES(raise(SIGUSR1), 0);
	CHECK_EQ(caught, times);
}

static int flags_now(void)
{
	return action_now().sa_flags;
}

static void row(void)
{
	enum { RESTORER = 0x04000000 }; /* libc's, on this machine */
	struct sigaction a = {.sa_handler = on_signal}, old;
	sigset_t blocked;
	int fd = held("a", 100), libcs;

	is_untouched();
	sigfillset(&a.sa_mask); /* without SIGKILL and SIGSTOP: the kernel takes them out */
	a.sa_flags = SA_RESTART | SA_NODEFER;
	GIVES(sigaction(SIGUSR1, &a, &old), 0);
	CHECK(old.sa_handler == SIG_DFL && old.sa_flags == 0);
	CHECK((flags_now() & ~RESTORER) == a.sa_flags);
	libcs = flags_now() & RESTORER;
	old = action_now();
	CHECK(old.sa_handler == on_signal && sigismember(&old.sa_mask, SIGUSR2) == 1);
	CHECK(sigismember(&old.sa_mask, SIGKILL) == 0);
	is_ours(fd, 3);

	a = (struct sigaction){.sa_sigaction = with_info, .sa_flags = SA_SIGINFO | (int)SA_RESETHAND};
	GIVES(sigaction(SIGUSR1, &a, &old), 0);
	CHECK(old.sa_handler == on_signal);
	CHECK(flags_now() == (a.sa_flags | libcs));
	raised(10);
	is_default();
	CHECK(flags_now() == (a.sa_flags | libcs));

	CHECK(signal(SIGUSR1, on_signal) == SIG_DFL);
	CHECK(flags_now() == (SA_RESTART | libcs));
	raised(1);
	raised(1);
	errno = 0;
	CHECK(signal(SIGUSR1, SIG_ERR) == SIG_ERR && errno == EINVAL);
	GIVES(siginterrupt(SIGUSR1, 1), 0);
	CHECK(action_now().sa_handler == on_signal && flags_now() == libcs);
	CHECK(signal(SIGUSR1, SIG_IGN) == on_signal); /* libc remembers the wish */
	CHECK(flags_now() == libcs);
	is_ignored();
	GIVES(siginterrupt(SIGUSR1, 0), 0);
	CHECK(action_now().sa_handler == SIG_IGN && flags_now() == (SA_RESTART | libcs));

	CHECK(sysv_signal(SIGUSR1, on_signal) == SIG_IGN);
	CHECK(flags_now() == ((int)(SA_RESETHAND | SA_NODEFER) | libcs));
	raised(1);
	is_default();

	CHECK(sigset(SIGUSR1, on_signal) == SIG_DFL);
	raised(1);
	CHECK(sigset(SIGUSR1, SIG_HOLD) == on_signal);
	raised(0);
	CHECK(!sigprocmask(SIG_SETMASK, NULL, &blocked) && sigismember(&blocked, SIGUSR1) == 1);
	CHECK(sigset(SIGUSR1, on_signal) == SIG_HOLD && caught == 1);
	GIVES(sigignore(SIGUSR1), 0);
	is_ignored();

	/* the kernel's own layout */
	{
		struct {
			void *handler;
			unsigned long rest[3];
		} raw;

		CHECK(signal(SIGUSR1, on_signal) == SIG_IGN);
		GIVES(syscall(SYS_rt_sigaction, SIGUSR1, NULL, &raw, 8), 0);
		CHECK(raw.handler == (void *)on_signal && raw.rest[2] == 1UL << (SIGUSR1 - 1));
		raw.rest[2] = 0;
		GIVES(syscall(SYS_rt_sigaction, SIGUSR1, &raw, NULL, 8), 0);
		old = action_now();
		CHECK(sigismember(&old.sa_mask, SIGUSR1) == 0);
		is_ours(fd, 2);
	}

	/* a vfork child has actions of its own */
	if (vfork() == 0) {
		signal(SIGUSR1, SIG_IGN);
		_exit(0);
	}
	CHECK(action_now().sa_handler == on_signal);
	is_ours(fd, 2);
	child_receives(fd, 104);
}
