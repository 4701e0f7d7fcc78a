/* SPDX-License-Identifier: MIT */
#include "exec.h"

static int exec_it(char *program, char **argv)
{
	return execlp(exec_by_name(program), argv[0], argv[1], argv[2], argv[3], NULL);
}
