/* SPDX-License-Identifier: MIT */
/* by-thread.c - A stands still inside its call while another thread acts.  See hold.h. */
// timeout: 300
#include "hold/hold.h"

int main(void)
{
	return hold_main(0);
}
