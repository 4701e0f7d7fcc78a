/* SPDX-License-Identifier: MIT */
/*
 * Floor 6, start: the constructor.  Whatever was called before it went straight to the kernel, and
 * what was opened then is a stranger.  Nothing is ever taken down; what is
 * asked for at the end of a process is written there (report_end.c, image.c).
 */
#include "ahead.h"
#include "config.h"
#include "fdtab.h"
#include "image.h"
#include "real.h"
#include "report.h"
#include "root.h"

__attribute__((constructor)) static void start(void)
{
	struct block *room;
	uint32_t n;

	hot.bare = real_resolve();
	config_read();
	if (config.refused)
		hot.first_block.n[C_gone + R_sandbox]++;
	root_start();
	if (!config.on)
		return;
	room = image_start(&n);
	count_on(room, n);
	image_fill();
	report_start();
	report_end_start();
	fdtab_start();
	ahead_start();
}
