/* SPDX-License-Identifier: MIT */
#include "exec.h"

static int exec_it(char *program, char **argv)
{
	return execve(program, argv, environ);
}
