/* SPDX-License-Identifier: MIT */
/* step-thread.c - A stands still at an instruction inside its call while another thread acts.
 */
// runs: bare
// Preloaded: by hand, it takes long.
// timeout: 300
#include "hold/at-instructions.h"

int main(void)
{
	return hold_main(0, &at_instructions);
}
