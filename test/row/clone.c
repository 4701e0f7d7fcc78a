/* SPDX-License-Identifier: MIT */
/* Each kind of child in a process of its own: some kinds end what the shim can do there. */
#include "row.h"
#include <sched.h>

static char stack[1 << 18] __attribute__((aligned(16)));
static int fd, number;

static int receives(void *arg)
{
	receive(fd, (off_t)(long)arg);
	return 3;
}

static int moves(void *arg) /* seeks and reads through libc */
{
	hold(fd, (off_t)(long)arg);
	return 3;
}

static int opens(void *arg)
{
	(void)arg;
	GIVES(dup2(fd, 3000), 3000);
	GIVES(close(number), 0);
	return 3;
}

static pid_t start(int (*run)(void *), int flags, long arg)
{
	return clone(run, stack + sizeof stack, flags | SIGCHLD, (void *)arg);
}

static void as_fork(void)
{
	fd = held("a", 100);
	ends(start(receives, 0, 104), 3);
	AT(fd, 108);
	fd = held("a", 300);
	ends(start(moves, 0, 400), 3);
	AT(fd, 404);
	child_receives(fd, 404);
}

static void as_vfork(void) /* memory is shared, the parent waits */
{
	fd = held("a", 100);
	ends(start(receives, CLONE_VM | CLONE_VFORK, 104), 3);
	AT(fd, 108);
	fd = held("a", 300);
	number = dup(fd);
	ends(start(opens, CLONE_VM | CLONE_VFORK, 0), 3);
	FAILS(lseek(3000, 0, SEEK_CUR), EBADF); /* the table of numbers is not shared */
	AT(number, 304);
	ends(start(moves, CLONE_VM | CLONE_VFORK, 400), 3);
	AT(fd, 404);
}

static void one_table(void) /* not the memory, but the table of numbers */
{
	char b[4];

	fd = held("a", 100);
	number = held("b", 200);
	ends(start(opens, CLONE_FILES, 0), 3);
	AT(3000, 104);
	FAILS(lseek(number, 0, SEEK_CUR), EBADF);
	CHECK(open("b", O_RDWR) == number);
	AT(number, 0);
	hold(number, 300);
	ends(start(moves, CLONE_FILES, 400), 3);
	AT(3000, 404);
	GIVES(read(fd, b, 4), 4);
	CHECK(has(b, 404, 4));
	child_receives(number, 304);
}

static void one_memory(void) /* the memory, but not the table; the parent goes on meanwhile */
{
	fd = held("a", 100);
	number = dup(fd);
	ends(start(opens, CLONE_VM, 0), 3);
	FAILS(lseek(3000, 0, SEEK_CUR), EBADF);
	AT(number, 104);
	ends(start(receives, CLONE_VM, 104), 3);
	AT(fd, 108);
	child_receives(fd, 108);
}

static void row(void)
{
	void (*kinds[])(void) = {as_fork, as_vfork, one_table, one_memory};

	FAILS(clone(receives, NULL, SIGCHLD, NULL), EINVAL);
	fd = held("a", 100);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			kinds[i]();
			_exit(0);
		}
		ends(pid, 0);
	}
	AT(fd, 104);
}
