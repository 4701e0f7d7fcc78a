/* SPDX-License-Identifier: MIT */
#include "exec.h"

static int exec_it(char *program, char **argv)
{
	return execvpe(exec_by_name(program), argv, environ);
}
