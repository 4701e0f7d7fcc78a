/* SPDX-License-Identifier: MIT */
/* From the offset on, forwards or backwards; what another process meets shows where. */
#include "row.h"

static void locked(const char *name, off_t start, off_t length)
{
	pid_t pid = fork();

	if (pid == 0) {
		struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
		int fd = twin_of(name, O_RDWR);

		CHECK(!RAW(SYS_fcntl, fd, F_GETLK, &l));
		CHECK(l.l_type == (start < 0 ? F_UNLCK : F_WRLCK));
		CHECK(start < 0 || (l.l_start == start && l.l_len == length));
		_exit(0);
	}
	ends(pid, 0);
}

static void row(void)
{
	char b[4];
	int fd = held("a", 100);

	GIVES(lockf(fd, F_TLOCK, 10), 0);
	AT(fd, 104);
	locked("a", 104, 10);
	GIVES(close(fd), 0);

	fd = held("a", 200);
	GIVES(lockf64(fd, F_LOCK, -10), 0);
	AT(fd, 204);
	locked("a", 194, 10);
	GIVES(close(fd), 0);

	fd = held("a", 300);
	GIVES(lockf(fd, F_LOCK, 0), 0); /* to the end of all times */
	GIVES(lseek(fd, 400, SEEK_SET), 400);
	GIVES(lseek(fd, 500, SEEK_SET), 500);
	GIVES(lockf(fd, F_ULOCK, 0), 0);
	GIVES(lockf(fd, F_TEST, 10), 0);
	locked("a", 304, 196);
	AT(fd, 500);
	GIVES(lseek(fd, 0, SEEK_SET), 0);
	GIVES(lockf(fd, F_ULOCK, 0), 0);
	locked("a", -1, 0);
	GIVES(close(fd), 0);

	fd = held("a", 300);
	FAILS(lockf(fd, 77, 10), EINVAL);
	FAILS(lockf(fd, F_TLOCK, -1000), EINVAL);
	FAILS(lockf(-1, F_TLOCK, 10), EBADF);
	AT(fd, 304);
	GIVES(read(fd, b, 4), 4);
	child_receives(fd, 308);
}
