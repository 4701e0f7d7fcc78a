/* SPDX-License-Identifier: MIT */
/*
 * Floor 6, start: the constructor.  Whatever was called before it went straight to the kernel, and
 * what was opened then is a stranger.  There is no destructor: nothing is ever taken down.
 */
#include "ahead.h"
#include "config.h"
#include "fdtab.h"
#include "real.h"
#include "report.h"
#include "root.h"

__attribute__((constructor)) static void start(void)
{
	hot.bare = real_resolve();
	config_read();
	if (config.refused)
		hot.first_block.n[C_gone + R_sandbox]++;
	root_start();
	if (!config.on)
		return;
	count_on();
	report_start();
	report_end_start();
	fdtab_start();
	ahead_start();
}
