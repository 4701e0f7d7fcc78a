/* SPDX-License-Identifier: MIT */
#include "exec.h"

static int exec_it(char *program, char **argv)
{
	int fd = open(program, O_RDONLY | O_CLOEXEC), result;
	char b[16];

	if (fd < 0)
		return -1;
	if (program == row_program) /* where it stands does not matter */
		CHECK(lseek(fd, 20, SEEK_SET) == 20 && read(fd, b, 9) == 9);
	result = fexecve(fd, argv, environ);
	(close)(fd);
	return result;
}
