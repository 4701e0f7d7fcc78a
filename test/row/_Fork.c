/* SPDX-License-Identifier: MIT */
#include "fork.h"

pid_t _Fork(void) __attribute__((weak));

static pid_t new_process(void)
{
	if (!_Fork)
		SKIP("this libc has no _Fork");
	return _Fork();
}
