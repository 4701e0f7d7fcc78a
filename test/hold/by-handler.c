/* SPDX-License-Identifier: MIT */
/* by-handler.c - A is interrupted at a hook inside its call by a signal handler that acts. */
// timeout: 300
#include "hold/at-hooks.h"

int main(void)
{
	return hold_main(1, &at_hooks);
}
