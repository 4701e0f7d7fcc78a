/* SPDX-License-Identifier: MIT */
/* by-thread.c - A stands still at a hook inside its call while another thread acts. */
// timeout: 300
#include "hold/at-hooks.h"

int main(void)
{
	return hold_main(0, &at_hooks);
}
