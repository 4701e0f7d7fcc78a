/* SPDX-License-Identifier: MIT */
#include "row.h"

/* Where is the lock that another process meets? */
static off_t lock_start(const char *name, int command, off_t *length)
{
	int fd = twin_of(name, O_RDWR);
	struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	CHECK(!RAW(SYS_fcntl, fd, command, &l) && l.l_whence == SEEK_SET);
	RAW(SYS_close, fd);
	*length = l.l_len;
	return l.l_type == F_UNLCK ? -1 : l.l_start;
}

static void locked(const char *name, off_t start, off_t length)
{
	off_t n;
	pid_t pid = fork();

	if (pid == 0) {
		CHECK(lock_start(name, F_GETLK, &n) == start);
		CHECK(start < 0 || n == length);
		_exit(0);
	}
	ends(pid, 0);
}

static void row(void)
{
	struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_start = 6, .l_len = 10};
	int twin, fd = held("a", 100),
		  command[] = {F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW};

	for (size_t i = 0; i < sizeof command / sizeof *command; i++) {
		l.l_type = F_WRLCK;
		hold(fd, 100 + 100 * i);
		GIVES(fcntl(fd, command[i], &l), 0);
		locked("a", 110 + 100 * i, 10);
		l.l_type = F_UNLCK;
		GIVES(fcntl(fd, command[i], &l), 0);
		locked("a", -1, 0);
		AT(fd, 104 + 100 * i);
		GIVES(close(fd), 0); /* the child made it a stranger's: anew */
		fd = held("a", 100);
	}
	l.l_start = -200;
	l.l_type = F_WRLCK;
	FAILS(fcntl(fd, F_SETLK, &l), EINVAL);
	AT(fd, 104);

	/* asking: the answer comes back from the start of the file, or only F_UNLCK does */
	twin = twin_of("a", O_RDWR);
	l = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 110, .l_len = 4};
	CHECK(!RAW(SYS_fcntl, twin, F_OFD_SETLK, &l));
	for (int i = 0; i < 2; i++) {
		hold(fd, 100);
		l = (struct flock){
			.l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_start = 2, .l_len = 10};
		GIVES(fcntl(fd, i ? F_GETLK : F_OFD_GETLK, &l), 0);
		CHECK(l.l_type == F_WRLCK && l.l_whence == SEEK_SET && l.l_start == 110 &&
		      l.l_len == 4);
		hold(fd, 200);
		l = (struct flock){
			.l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_start = 2, .l_len = 10};
		GIVES(fcntl(fd, i ? F_GETLK : F_OFD_GETLK, &l), 0);
		CHECK(l.l_type == F_UNLCK && l.l_whence == SEEK_CUR && l.l_start == 2);
		AT(fd, 204);
	}
	hold(fd, 100);
	l = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_start = 2, .l_len = 10};
	FAILS(fcntl(fd, F_OFD_SETLK, &l), EAGAIN);
	FAILS(fcntl(fd, F_SETLK, (void *)1), EFAULT);
	child_receives(fd, 104);
}
