/* SPDX-License-Identifier: MIT */
/* A filter that the program installs itself, in the middle of its work. */
#include "seccomp.h"

static void row(void)
{
	char name[20];
	int fd = held("a", 100), other = held("b", 100);
	const unsigned how[] = {SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ERRNO | EPERM,
				SECCOMP_RET_ERRNO | ENOSYS};

	GIVES(prctl(PR_SET_NAME, "a row"), 0);
	GIVES(prctl(PR_GET_NAME, name), 0);
	CHECK(!strcmp(name, "a row"));
	FAILS(prctl(PR_SET_SECCOMP, 99, NULL), EINVAL);
	AT(fd, 104);
	for (int i = 0; i < 6; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			int own = held("c", 300), own_other = held("d", 300);

			if (sandbox(how[i / 2], i % 2, 1))
				_exit(77);
			works_inside(own, own_other, 304);
			works_inside(fd, other, 104);
			GIVES(lseek(fd, 104, SEEK_SET), 104);
			GIVES(lseek(other, 104, SEEK_SET), 104);
			CHECK((own = open("a", O_RDONLY)) >= 0); /* opened inside */
			GIVES(lseek(own, 40, SEEK_SET), 40);
			GIVES(lseek(own, 304, SEEK_SET), 304);
			GIVES(read(own, name, 4), 4);
			CHECK(has(name, 304, 4));
			_exit(0);
		}
		ends(pid, 0);
	}
}
