/* SPDX-License-Identifier: MIT */
/*
 * Preloaded beside the library by tools/check-programs and its kin: a process that ends asks for its counters,
 * by the signal that SEEKLESS_SIGNAL names (RTMIN+9).
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static pid_t
	me; /* a vfork child is another process in the same memory: its counters are the parent's */

static void remember(void)
{
	me = getpid();
}

__attribute__((constructor)) static void start(void)
{
	remember();
	pthread_atfork(NULL, NULL, remember);
}

/*
 * Is there anybody to ask?  Where the library is off (SEEKLESS_ONLY), the signal would end the process.
 * Through libc the library hides its handler.
 */
static int has_handler(int sig)
{
	long action[8] = {0}; /* as the kernel has it: the handler comes first */
#if defined(__x86_64__)
	long r;
	register long size __asm__("r10") = 8;

	__asm__ volatile("syscall"
			 : "=a"(r)
			 : "a"((long)SYS_rt_sigaction), "D"((long)sig), "S"(0L), "d"(action),
			   "r"(size)
			 : "rcx", "r11", "memory");
#else
	register long r __asm__("x0") = sig;
	register long new __asm__("x1") = 0;
	register long *old __asm__("x2") = action;
	register long size __asm__("x3") = 8;
	register long nr __asm__("x8") = SYS_rt_sigaction;

	__asm__ volatile("svc 0" : "+r"(r) : "r"(new), "r"(old), "r"(size), "r"(nr) : "memory");
#endif
	return r == 0 && action[0] > (long)SIG_IGN;
}

__attribute__((destructor)) static void ask(void)
{
	sigset_t set;

	if (me != getpid())
		return;
	me = 0;
	if (!has_handler(SIGRTMIN + 9))
		return;
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
