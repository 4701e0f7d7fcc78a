/* SPDX-License-Identifier: MIT */
/* Since glibc 2.36; older programs ask by number.  A process may fetch descriptors of its own. */
#include "row.h"
#include <dlfcn.h>

enum { NR_pidfd_open = 434, NR_pidfd_getfd = 438 };

static int (*by_libc)(int, int, unsigned);

static int fetch(int pidfd, int fd, unsigned flags)
{
	if (by_libc && !row_by_syscall)
		return by_libc(pidfd, fd, flags);
	return (int)syscall(NR_pidfd_getfd, pidfd, fd, flags);
}

static void row(void)
{
	int fd = held("a", 100), pidfd = (int)syscall(NR_pidfd_open, getpid(), 0), other;
	char b[4];

	*(void **)&by_libc = dlsym(RTLD_DEFAULT, "pidfd_getfd");
	FAILS(fetch(-1, fd, 0), EBADF);
	AT(fd, 104);
	if (pidfd < 0 || (other = fetch(pidfd, fd, 0)) < 0)
		SKIP("no pidfd_getfd here");
	FAILS(fetch(pidfd, 4000, 0), EBADF);
	FAILS(fetch(pidfd, fd, 1), EINVAL);

	/* one description: whoever moves the offset moves it for both */
	AT(other, 104);
	CHECK(kernel_offset(other) == 104);
	GIVES(read(other, b, 4), 4);
	CHECK(has(b, 104, 4));
	AT(fd, 108);
	GIVES(lseek(fd, 300, SEEK_SET), 300);
	GIVES(read(fd, b, 4), 4);
	AT(other, 304);
	GIVES(lseek(other, 10, SEEK_SET), 10);
	GIVES(write(fd, "abcd", 4), 4);
	AT(other, 14);
	GIVES(close(other), 0);
	child_receives(fd, 14);

	/* another number of the same description, and one that was fetched before it was seeked */
	fd = held("b", 100);
	other = dup(fd);
	other = fetch(pidfd, other, 0);
	CHECK(other >= 0);
	receive(other, 104);
	AT(fd, 108);
	fd = open("b", O_RDWR);
	other = fetch(pidfd, fd, 0);
	hold(fd, 200);
	AT(other, 204);
	hold(other, 400);
	AT(fd, 404);
}
