/* SPDX-License-Identifier: MIT */
#include "fork.h"

static pid_t new_process(void)
{
	if (!_Fork)
		SKIP("this libc has no _Fork");
	return _Fork();
}
