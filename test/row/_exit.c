// SPDX-License-Identifier: MIT
/* The process ends at once: no handlers of exit, whoever calls; what it shared stays where it left it. */
#include "row.h"

static int told[2];

static void tell(void)
{
	CHECK((write)(told[1], "handler", 7) == 7);
}

static void *end_all(void *status)
{
	_exit((int)(intptr_t)status);
}

static void in_child(int way, int fd)
{
	pthread_t t;

	atexit(tell);
	GIVES(lseek(fd, 500 + way, SEEK_SET), 500 + way);
	held("b", 100); /* and ends with it open */
	switch (way) {
	case 0:
		_exit(40);
	case 1:
		_Exit(256 + 41);
	case 2:
		syscall(SYS_exit_group, 42);
		break;
	case 3:
		CHECK(!pthread_create(&t, NULL, end_all, (void *)43));
		pthread_join(t, NULL);
		break;
	}
	row_fail(__FILE__, __LINE__, "it came back");
}

static void row(void)
{
	char b[8];
	int fd = held("a", 100);
	pid_t pid;

	CHECK(!pipe(told));
	for (int way = 0; way < 4; way++) {
		pid = fork();
		if (pid == 0)
			in_child(way, fd);
		ends(pid, 40 + way);
		AT(fd, 500 + way);
		CHECK(kernel_offset(fd) == 500 + way);
	}
	close(told[1]);
	CHECK((read)(told[0], b, 8) == 0);

	/* a vfork child ends with its parent's memory */
	fd = held("c", 100);
	pid = vfork();
	if (pid == 0)
		_exit(44);
	ends(pid, 44);
	AT(fd, 104);
	pid = vfork();
	if (pid == 0)
		syscall(SYS_exit_group, 45);
	ends(pid, 45);
	AT(fd, 104);
	GIVES(read(fd, b, 4), 4);
	CHECK(has(b, 104, 4));
}
