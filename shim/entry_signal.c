/* SPDX-License-Identifier: MIT */
/*
 * Floor 5, entry points: every door of libc to the action of the signal that asks for the report.
 * For all other signals they lead straight through.
 */
#include "real.h"
#include "report.h"

EXPORT int sigaction(int sig, const struct sigaction *new, struct sigaction *old)
{
	int r = real_sigaction(sig, new, old);

	if (r || !report_is_ours(sig))
		return r;
	if (old)
		report_hide(old);
	if (new)
		report_adopt(sig);
	return 0;
}
ALIAS_OF(__sigaction, sigaction);

/* After the real call of an older door: the handler that it found. */
static sighandler_t set(int sig, sighandler_t found)
{
	struct sigaction seen = {.sa_handler = found};

	if (!report_is_ours(sig))
		return found;
	report_hide(&seen);
	report_adopt(sig);
	return seen.sa_handler;
}

EXPORT sighandler_t signal(int sig, sighandler_t handler)
{
	return set(sig, real_signal(sig, handler));
}
ALIAS_OF(bsd_signal, signal);
ALIAS_OF(ssignal, signal);

EXPORT sighandler_t sysv_signal(int sig, sighandler_t handler)
{
	return set(sig, real_sysv_signal(sig, handler));
}
ALIAS_OF(__sysv_signal, sysv_signal);

EXPORT sighandler_t sigset(int sig, sighandler_t handler)
{
	return set(sig, real_sigset(sig, handler));
}

EXPORT int sigignore(int sig)
{
	int r = real_sigignore(sig);

	if (!r && report_is_ours(sig))
		report_adopt(sig);
	return r;
}

/*
 * libc's own changes the flags of the action that it finds and sets that: it must be the program's.
 */
EXPORT int siginterrupt(int sig, int interrupt)
{
	int r;

	if (!report_is_ours(sig))
		return real_siginterrupt(sig, interrupt);
	report_step_aside(sig);
	r = real_siginterrupt(sig, interrupt);
	report_adopt(sig);
	return r;
}

/*
 * Only programs linked long ago can call it; libc's own is a conversion to sigaction, and so is
 * ours.
 */
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
