/* SPDX-License-Identifier: MIT */
/* by-handler.c - A is interrupted inside its call by a signal handler that acts.  See hold.h.
 */
// timeout: 300
#include "hold/hold.h"

int main(void)
{
	return hold_main(1);
}
