/* SPDX-License-Identifier: MIT */
/*
 * Preloaded beside the library by tools/check-programs: a process that ends asks for its counters,
 * by the signal that SEEKLESS_SIGNAL names (RTMIN+9).
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static pid_t me; /* a vfork child is another process in the same memory: its counters are the parent's */

static void remember(void)
{
	me = getpid();
}

__attribute__((constructor)) static void start(void)
{
	remember();
	pthread_atfork(NULL, NULL, remember);
}

__attribute__((destructor)) static void ask(void)
{
	sigset_t set;

	if (me != getpid())
		return;
	me = 0;
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 9);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	raise(SIGRTMIN + 9);
}

void _exit(int status)
{
	void (*next)(int) = (void (*)(int))dlsym(RTLD_NEXT, "_exit");

	ask();
	next(status);
	abort();
}
