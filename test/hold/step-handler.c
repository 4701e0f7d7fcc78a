/* SPDX-License-Identifier: MIT */
/* step-handler.c - A is interrupted at an instruction inside its call by a handler that acts.
 */
// runs: bare
// Preloaded, by hand: three scenes of dup2 against close + open in a handler are still wrong.
// timeout: 300
#include "hold/at-instructions.h"

int main(void)
{
	return hold_main(1, &at_instructions);
}
