/* SPDX-License-Identifier: MIT */
/*
 * SIGUSR1 as the program sees it: the default action until it sets another, whatever the shim
 * has installed; its own action works and stays. Each function that sets actions has a program
 * with `set(handler)` for its own way.
 */
#include "row.h"

typedef void (*handler)(int);

static volatile int caught, caught_at;

__attribute__((unused)) static void on_signal(int sig)
{
	int saved = errno;

	CHECK(sig == SIGUSR1);
	caught++;
	caught_at = lseek(3000, 0, SEEK_CUR); /* the shim may be asked inside */
	errno = saved;
}

/* The action that the kernel would take if there were no shim: sigaction must say so. */
static struct sigaction action_now(void)
{
	struct sigaction a;

	memset(&a, 0xee, sizeof a);
	GIVES(sigaction(SIGUSR1, NULL, &a), 0);
	return a;
}

__attribute__((unused)) static void is_default(void)
{
	CHECK(action_now().sa_handler == SIG_DFL);
}

/* Nobody has set anything since the program started. */
__attribute__((unused)) static void is_untouched(void)
{
	struct sigaction a = action_now();
	sigset_t none;

	sigemptyset(&none);
	CHECK(a.sa_handler == SIG_DFL && a.sa_flags == 0 && !memcmp(&a.sa_mask, &none, 8));
}

/* Ours is called, again and again if it stays, with a held descriptor in reach. */
__attribute__((unused)) static void is_ours(int fd, int times)
{
	hold(fd, 100);
	GIVES(dup2(fd, 3000), 3000);
	for (int i = 1; i <= times; i++) {
		caught = 0;
		GIVES(raise(SIGUSR1), 0);
		CHECK(caught == 1 && caught_at == 104);
	}
	AT(fd, 104);
}

/* The default action: a child dies of it. */
__attribute__((unused)) static void kills(void)
{
	int st;
	pid_t pid = fork();

	if (pid == 0) {
		raise(SIGUSR1);
		_exit(0);
	}
	CHECK(pid > 0 && waitpid(pid, &st, 0) == pid);
	CHECK(WIFSIGNALED(st) && WTERMSIG(st) == SIGUSR1);
}

__attribute__((unused)) static void is_ignored(void)
{
	caught = 0;
	CHECK(action_now().sa_handler == SIG_IGN);
	GIVES(raise(SIGUSR1), 0);
	CHECK(caught == 0);
}
