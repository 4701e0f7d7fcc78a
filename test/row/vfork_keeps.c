/* SPDX-License-Identifier: MIT */
/* A vfork child that closes, opens, re-points and reads: the parent's descriptors are what they
 * were. */
#include "row.h"

static void child(int kept, int closed, int onto)
{
	char b[4];
	int fd;

	if (read(kept, b, 4) != 4 ||
	    !has(b, 104, 4)) /* one description: the parent has read, too */
		_exit(1);
	if ((close)(closed))
		_exit(2);
	if ((fd = (open)("other", O_RDONLY)) < 0 || read(fd, b, 4) != 4 || !has(b, 0, 4))
		_exit(3);
	if (lseek(fd, 50, SEEK_SET) != 50 || read(fd, b, 2) != 2 || kernel_offset(fd) != 52)
		_exit(4);
	if ((dup2)(fd, onto) != onto || lseek(onto, 0, SEEK_CUR) != 52)
		_exit(5);
	if ((close)(onto) || lseek(onto, 0, SEEK_CUR) != -1)
		_exit(6);
	execl("/nowhere/at/all", "x", NULL);
	_exit(lseek(fd, 0, SEEK_CUR) == 52 ? 0 : 7);
}

/* An emulator may make a fork of it: then the parent cannot learn what the child has read. */
static int shares_memory(void)
{
	static volatile int shared;
	pid_t pid = vfork();

	if (pid == 0) {
		shared = 1;
		_exit(0);
	}
	ends(pid, 0);
	return shared;
}

static void row(void)
{
	int kept = held_open("a", 100, O_RDWR | O_CLOEXEC),
	    closed = held_open("b", 200, O_RDWR | O_CLOEXEC);
	int onto = held_open("c", 300, O_RDWR | O_CLOEXEC),
	    low = held_open("d", 400, O_RDWR | O_CLOEXEC);
	pid_t pid;

	if (!shares_memory())
		SKIP("vfork is a fork here (an emulator)");
	make_file("other", 100);
	for (int i = 0; i < 3; i++) {
		pid = vfork();
		if (pid == 0)
			child(kept, closed, onto);
		ends(pid, 0);
		AT(kept, 108);
		AT(closed, 204);
		AT(onto, 304);
		AT(low, 404);
		hold(kept, 100);
		hold(closed, 200);
		hold(onto, 300);
		hold(low, 400);
	}
}
