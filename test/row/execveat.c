/* SPDX-License-Identifier: MIT */
#include "exec.h"

static int exec_it(char *program, char **argv)
{
	char *slash = strrchr(program, 0x2f), folder[PATH_MAX];
	int at, result;

	if (!execveat)
		SKIP("this libc has no execveat");

	snprintf(folder, sizeof folder, "%.*s/", (int)(slash - program), program);
	at = open(folder, O_PATH | O_CLOEXEC);
	if (at < 0)
		return -1;
	result = execveat(at, slash + 1, argv, environ, 0);
	(close)(at);
	return result;
}
