/* SPDX-License-Identifier: MIT */
#include "born.h"

static void row(void)
{
	char name[40];
	int fd;

	snprintf(name, sizeof name, "/row-%d", (int)getpid());
	if (access("/dev/shm", W_OK))
		SKIP("no /dev/shm here");
	CHECK((fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600)) >= 0);
	CHECK(fcntl(fd, F_GETFD) == FD_CLOEXEC);
	born_empty(fd);
	FAILS(shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600), EEXIST);
	CHECK((fd = shm_open(name, O_RDONLY, 0)) >= 0);
	AT(fd, 0);
	hold(fd, 500);
	CHECK(!shm_unlink(name));
	FAILS(shm_open(name, O_RDONLY, 0), ENOENT);
	child_receives(fd, 504);
}
