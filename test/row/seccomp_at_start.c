/* SPDX-License-Identifier: MIT */
/* No row of the table: a filter that is there when the program starts. */
#define ROW_TAKES_NONE /* the programs that it starts may */
#include "seccomp.h"

static void row(void)
{
	const unsigned how[] = {SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ERRNO | EPERM,
				SECCOMP_RET_ERRNO | ENOSYS, SECCOMP_RET_ERRNO | ESPIPE};

	for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			make_file("a", ROW_SIZE);
			if (sandbox(how[i], 1, 0))
				_exit(77);
			execl(row_program, row_program, "work", "a", "100", NULL);
			_exit(99);
		}
		ends(pid, 0);
	}
}
