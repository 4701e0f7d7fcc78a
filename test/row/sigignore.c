/* SPDX-License-Identifier: MIT */
#define ROW_COUNTS_LOST
#include "signals.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static void row(void)
{
	int fd = held("a", 100);

	is_untouched();
	FAILS(sigignore(SIGKILL), EINVAL);
	GIVES(sigignore(SIGUSR1), 0);
	is_ignored();
	AT(fd, 104);
	CHECK(signal(SIGUSR1, on_signal) == SIG_IGN);
	is_ours(fd, 2);
	GIVES(sigignore(SIGUSR1), 0);
	is_ignored();
}
