/* SPDX-License-Identifier: MIT */
/* Programs save the action of every signal, change it, and put it back; and look before they
 * set. */
#define ROW_COUNTS_LOST
#include "signals.h"

static void row(void)
{
	struct sigaction old, a = {.sa_handler = SIG_IGN};
	int fd = held("a", 100);

	for (int sig = 1; sig < 32; sig++) { /* as shells do at start */
		if (sig == SIGKILL || sig == SIGSTOP)
			continue;
		GIVES(sigaction(sig, NULL, &old), 0);
		CHECK(sig == SIGALRM || sig == SIGPIPE || old.sa_handler == SIG_DFL);
	}
	/* "only if nobody else has": the shim is nobody */
	is_untouched();
	a.sa_handler = on_signal;
	GIVES(sigaction(SIGUSR1, &a, NULL), 0);
	is_ours(fd, 2);

	/* set to the default by the program: it dies, with no report in between */
	GIVES(sigaction(SIGUSR1, &(struct sigaction){.sa_handler = SIG_DFL}, &old), 0);
	is_default();
	kills();

	/* exec and a program that ignores: ignored stays ignored */
	GIVES(sigaction(SIGUSR1, &(struct sigaction){.sa_handler = SIG_IGN}, NULL), 0);
	is_ignored();
	fd = held("b", 100);
	child_receives(fd, 104);
	ends(fork()
		     ?: (execl("/bin/sh", "sh", "-c", "kill -USR1 $$; exit 3", NULL), _exit(9),
			 0),
	     3);
	is_ignored();
}
