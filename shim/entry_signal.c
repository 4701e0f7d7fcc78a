/* SPDX-License-Identifier: MIT */
/*
 * Floor 5, entry points: every door of libc to the action of the signal that asks for the report.  For
 * all other signals they lead straight through.
 */
#include "real.h"
#include "report.h"

/* Where the user named the signal, ours stays in the kernel and calls the program's. */
static int set_both(int sig, const struct sigaction *new, struct sigaction *old)
{
	struct sigaction under;

	if (new && !real_sigaction(sig, NULL, &under)) {
		under.sa_sigaction = report_handler;
		under.sa_mask = new->sa_mask;
		under.sa_flags = (new->sa_flags & ~SA_RESETHAND) | SA_SIGINFO;
		real_sigaction(sig, &under, NULL);
	}
	report_set_programs(new, old);
	return 0;
}

EXPORT int sigaction(int sig, const struct sigaction *new, struct sigaction *old)
{
	struct sigaction seen;
	int r;

	if (!report_is_ours(sig))
		return real_sigaction(sig, new, old);
	if (report_runs_both(sig))
		return set_both(sig, new, old);
	r = real_sigaction(sig, new, &seen);
	if (r || !old)
		return r;
	report_hide(&seen);
	*old = seen;
	return 0;
}
ALIAS_OF(__sigaction, sigaction);

/* The older doors, told apart by the flags that libc sets for them. */
static sighandler_t set_both_old(int sig, sighandler_t handler, int flags)
{
	struct sigaction new = {.sa_handler = handler, .sa_flags = flags}, old;

	sigemptyset(&new.sa_mask);
	set_both(sig, &new, &old);
	return old.sa_handler;
}
static sighandler_t hidden(sighandler_t seen)
{
	return (void *)seen == (void *)report_handler ? SIG_DFL : seen;
}

EXPORT sighandler_t signal(int sig, sighandler_t handler)
{
	if (report_runs_both(sig))
		return set_both_old(sig, handler, SA_RESTART);
	return hidden(real_signal(sig, handler));
}
ALIAS_OF(bsd_signal, signal);
ALIAS_OF(ssignal, signal);

EXPORT sighandler_t sysv_signal(int sig, sighandler_t handler)
{
	if (report_runs_both(sig))
		return set_both_old(sig, handler, (int)SA_RESETHAND | SA_NODEFER);
	return hidden(real_sysv_signal(sig, handler));
}
ALIAS_OF(__sysv_signal, sysv_signal);

EXPORT sighandler_t sigset(int sig, sighandler_t handler)
{
	if (report_runs_both(sig) && handler != SIG_HOLD)
		return set_both_old(sig, handler, 0);
	return hidden(real_sigset(sig, handler));
}

EXPORT int sigignore(int sig)
{
	if (!report_runs_both(sig))
		return real_sigignore(sig);
	set_both_old(sig, SIG_IGN, 0);
	return 0;
}

/* Only programs linked long ago can call it; libc's own is a conversion to sigaction, and so is ours. */
struct sigvec_bsd {
	sighandler_t handler;
	int mask;
	int flags;
};
EXPORT int sigvec(int sig, const struct sigvec_bsd *new, struct sigvec_bsd *old)
{
	static const int bits[][2] = {{1, SA_ONSTACK}, {4, (int)SA_RESETHAND}};
	struct sigaction to = {0}, from;
	int r;

	if (new) {
		to.sa_handler = new->handler;
		to.sa_mask.__val[0] = (unsigned)new->mask;
		to.sa_flags = new->flags & 2 ? 0 : SA_RESTART;
		for (int i = 0; i < 2; i++)
			to.sa_flags |= new->flags & bits[i][0] ? bits[i][1] : 0;
	}
	r = sigaction(sig, new ? &to : NULL, &from);
	if (r || !old)
		return r;
	old->handler = from.sa_handler;
	old->mask = (int)from.sa_mask.__val[0];
	old->flags = from.sa_flags & SA_RESTART ? 0 : 2;
	for (int i = 0; i < 2; i++)
		old->flags |= from.sa_flags & bits[i][1] ? bits[i][0] : 0;
	return 0;
}
