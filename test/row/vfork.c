/* SPDX-License-Identifier: MIT */
/* A vfork'ed child runs in our memory and on our stack, but with its own table of numbers. */
#include "row.h"

enum {
	CHILDS_ERRNO = 4242
}; /* memory is shared: the parent goes on with what the child left */

#define CHILD(...)                                                                             \
	do {                                                                                   \
		pid_t pid_ = vfork();                                                          \
		if (pid_ == 0) {                                                               \
			__VA_ARGS__ errno = CHILDS_ERRNO;                                      \
			_exit(0);                                                              \
		}                                                                              \
		CHECK(errno == CHILDS_ERRNO);                                                  \
		ends(pid_, 0);                                                                 \
	} while (0)

static void innermost(int fd)
{
	CHILD(hold(fd, 1000););
}

static void nested(int fd)
{
	CHILD(innermost(fd); AT(fd, 1004););
}

static void row(void)
{
	char b[4];
	static int ce, n, i;
	int fd = held("a", 100), other = held("b", 200);
	pid_t pid;

	/* the child's numbers are its own: nothing of this is ours */
	CHILD(GIVES(dup2(fd, 300), 300); GIVES(dup2(other, fd), fd); GIVES(close(other), 0);
	      CHECK(open("a", O_RDONLY) == other););
	FAILS(lseek(300, 0, SEEK_CUR), EBADF);
	AT(fd, 104);
	GIVES(read(fd, b, 4), 4);
	CHECK(has(b, 104, 4));
	AT(other, 204);

	/* the offset is shared: what the child reads, we have read */
	CHILD(receive(fd, 108); hold(other, 400););
	AT(fd, 112);
	AT(other, 404);

	/* a number that the child opened is free here, and new when we open it */
	CHILD(n = open("a", O_RDONLY); hold(n, 500););
	FAILS(lseek(n, 0, SEEK_CUR), EBADF);
	CHECK(open("b", O_RDWR) == n);
	AT(n, 0);
	hold(n, 600);

	/* close-on-exec: the child reads, writes and seeks on it all the same */
	ce = held_open("c", 700, O_RDWR | O_CLOEXEC);
	CHILD(AT(ce, 704); GIVES(read(ce, b, 4), 4); CHECK(has(b, 704, 4));
	      CHECK(kernel_offset(ce) == 708););
	AT(ce, 708);
	GIVES(close(ce), 0);
	ce = held_open("c", 700, O_RDWR | O_CLOEXEC);
	CHILD(GIVES(write(ce, "abcd", 4), 4); CHECK(kernel_offset(ce) == 708););
	AT(ce, 708);
	GIVES(close(ce), 0);
	ce = held_open("c", 800, O_RDWR | O_CLOEXEC);
	CHILD(GIVES(close(ce), 0); FAILS(read(ce, b, 4), EBADF););
	AT(ce, 804);

	/* nested, and a fork inside */
	CHILD(nested(n); child_receives(n, 1004); GIVES(lseek(n, 900, SEEK_SET), 900););
	AT(n, 900);
	GIVES(read(n, b, 4), 4);
	CHECK(has(b, 900, 4));

	/* a killed child leaves nothing behind */
	pid = vfork();
	if (pid == 0) {
		GIVES(read(ce, b, 4), 4);
		raise(SIGKILL);
	}
	CHECK(waitpid(pid, &n, 0) == pid && WIFSIGNALED(n));
	AT(ce, 808);
	n = held("d", 100);
	for (i = 0; i < 500; i++) /* 500 children, some held numbers in between */
		CHILD(if (i % 100 == 0) hold(n, 4 * i););
	AT(n, 1604);
	child_receives(n, 1604);
}
