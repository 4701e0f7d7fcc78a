/* SPDX-License-Identifier: MIT */
#include "born.h"

static void row(void)
{
	char b[4];
	int fd = memfd_create("memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0 && errno == ENOSYS)
		SKIP("the kernel has no memfd_create");
	born_empty(fd);
	born_empty(memfd_create("memory", 0));
	FAILS(memfd_create("memory", 0x8000), EINVAL);
	FAILS(memfd_create((char *)1, 0), EFAULT);

	/* sealed against writing: both forms say so, and nothing moves */
	fd = memfd_create("memory", MFD_ALLOW_SEALING);
	GIVES(write(fd, "0123456789", 10), 10);
	GIVES(lseek(fd, 2, SEEK_SET), 2);
	GIVES(lseek(fd, 4, SEEK_SET), 4);
	GIVES(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), 0);
	FAILS(write(fd, "ab", 2), EPERM);
	AT(fd, 4);
	GIVES(read(fd, b, 4), 4);
	CHECK(!memcmp(b, "4567", 4));
	AT(fd, 8);
}
