/* SPDX-License-Identifier: MIT */
/*
 * Floor 4, operations: the action of the signal that asks for the report, beside the program's own.
 */
#include "config.h"
#include "real.h"
#include "report.h"

/* The program's own action under ours; two copies, so that the handler never sees half of one. */
static struct sigaction programs[2];
static uint32_t programs_now;

bool report_is_ours(int sig)
{
	return config.on && sig == config.signal;
}
static void programs_get(struct sigaction *a)
{
	*a = programs[__atomic_load_n(&programs_now, __ATOMIC_ACQUIRE) % 2];
}
static void programs_set(const struct sigaction *a)
{
	uint32_t now = __atomic_load_n(&programs_now, __ATOMIC_ACQUIRE);

	programs[(now + 1) % 2] = *a;
	__atomic_store_n(&programs_now, now + 1, __ATOMIC_RELEASE);
}
void report_hide(struct sigaction *seen)
{
	struct sigaction a;

	if (seen->sa_sigaction != report_handler)
		return;
	programs_get(&a);
	seen->sa_sigaction = a.sa_sigaction;
	seen->sa_flags = a.sa_flags;
	seen->sa_restorer = a.sa_restorer;
	seen->sa_mask.__val[0] = a.sa_mask.__val[0]; /* the rest is not libc's to write either */
}
void report_step_aside(int sig)
{
	struct sigaction a;

	if (real_sigaction(sig, NULL, &a) || a.sa_sigaction != report_handler)
		return;
	programs_get(&a);
	real_sigaction(sig, &a, NULL);
}
/*
 * A vfork child has actions of its own, and its parent's memory: there the program's stays alone.
 */
void report_adopt(int sig)
{
	struct sigaction a;

	if (!config.signal_named || tls.vfork_depth || real_sigaction(sig, NULL, &a) ||
	    a.sa_sigaction == report_handler)
		return;
	programs_set(&a);
	a.sa_sigaction = report_handler;
	a.sa_flags = (a.sa_flags & ~(int)SA_RESETHAND) | SA_SIGINFO;
	real_sigaction(sig, &a, NULL);
}

void report_handler(int sig, siginfo_t *info, void *context)
{
	int saved = errno;
	struct sigaction both;
	void *handler;

	report_write();
	errno = saved;
	if (!config.signal_named)
		return;
	programs_get(&both);
	handler = (void *)both.sa_handler;
	if (handler == (void *)SIG_DFL || handler == (void *)SIG_IGN)
		return;
	if (both.sa_flags & (int)SA_RESETHAND) {
		both.sa_handler = SIG_DFL;
		programs_set(&both);
	}
	if (both.sa_flags & SA_SIGINFO)
		((__typeof__(&report_handler))handler)(sig, info, context);
	else
		((void (*)(int))handler)(sig);
}

void report_start(void)
{
	struct sigaction now, ours = {0};

	report_note_stderr();
	if (!config.signal || real_sigaction(config.signal, NULL, &now))
		return;
	if (now.sa_handler != SIG_DFL && !config.signal_named)
		return;
	programs[0] = now;
	ours.sa_sigaction = report_handler;
	ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
	sigfillset(&ours.sa_mask);
	real_sigaction(config.signal, &ours, NULL);
}
