/* SPDX-License-Identifier: MIT */
/* fork and its kin: parent and child share what was open, and nothing else. */
#include "row.h"

static pid_t new_process(void); /* each program's own way */

static int fd, copy, closed_on_exec;

/* The child reads where the parent stood, then both have moved. */
static void child(void)
{
	char b[4];
	int own;

	receive(fd, 104);
	AT(copy, 108);
	receive(closed_on_exec, 204);
	GIVES(lseek(copy, 1000, SEEK_SET), 1000);
	GIVES(write(copy, "fork", 4), 4);
	CHECK(kernel_offset(fd) == 1004);

	own = open("a", O_RDWR); /* its own from the start */
	hold(own, 50);
	GIVES(write(own, "own!", 4), 4);
	AT(own, 58);
	GIVES(close(fd), 0);
	GIVES(close(own), 0);
	FAILS(read(own, b, 4), EBADF);
}

static void row(void)
{
	char b[4];
	pid_t pid;
	int fresh;

	fd = held("a", 100);
	copy = dup(fd);
	closed_on_exec = held_open("b", 200, O_RDWR | O_CLOEXEC);
	pid = new_process();
	if (pid == 0) {
		child();
		_exit(0);
	}
	ends(pid, 0);
	AT(fd, 1004);
	AT(copy, 1004);
	AT(closed_on_exec, 208);
	GIVES(read(fd, b, 4), 4);
	CHECK(has(b, 1004, 4) && kernel_offset(fd) == 1008);

	/* grandchildren of what is already shared, and of what was opened in between */
	fresh = held("c", 300);
	pid = new_process();
	if (pid == 0) {
		hold(fd, 2000);
		child_receives(fd, 2004);
		child_receives(fresh, 304);
		_exit(0);
	}
	ends(pid, 0);
	AT(fd, 2008);
	CHECK(kernel_offset(fd) == 2008);
	AT(fresh, 308);
	GIVES(close(fresh), 0);
	fresh = held("c", 400);
	child_receives(fresh, 404);
}
