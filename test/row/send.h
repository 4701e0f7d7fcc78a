/* SPDX-License-Identifier: MIT */
/* SCM_RIGHTS: a descriptor goes to another process, to ourselves, two at once, and nowhere. */
#include "row.h"

static long send_it(int to, struct msghdr *m); /* each program's own way; 1: sent */

static long give(int to, const int *fds, int n)
{
	char byte = 'x', room[CMSG_SPACE(8 * sizeof(int))] = {0};
	struct iovec v = {&byte, 1};
	struct msghdr m = {.msg_iov = &v,
			   .msg_iovlen = 1,
			   .msg_control = room,
			   .msg_controllen = CMSG_SPACE(n * sizeof(int))};
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	*c = (struct cmsghdr){.cmsg_len = CMSG_LEN(n * sizeof(int)),
			      .cmsg_level = SOL_SOCKET,
			      .cmsg_type = SCM_RIGHTS};
	memcpy(CMSG_DATA(c), fds, n * sizeof(int));
	return send_it(to, &m);
}

static void take(int from, int *fds, int n)
{
	char byte = 0, room[CMSG_SPACE(8 * sizeof(int))];
	struct iovec v = {&byte, 1};

	while (byte != 'x') { /* sendmmsg sends empty ones, too */
		struct msghdr m = {.msg_iov = &v,
				   .msg_iovlen = 1,
				   .msg_control = room,
				   .msg_controllen = sizeof room};
		struct cmsghdr *c;

		CHECK(recvmsg(from, &m, 0) >= 0);
		if (byte == 'x' && (c = CMSG_FIRSTHDR(&m)))
			memcpy(fds, CMSG_DATA(c), n * sizeof(int));
	}
}

static void row(void)
{
	char b[4];
	int s[2], fds[2], got[2], bad = -1, copy;
	pid_t pid;

	CHECK(!socketpair(AF_UNIX, SOCK_DGRAM, 0, s));
	pid = fork(); /* before there is anything to inherit */
	if (pid == 0) {
		take(s[1], got, 2);
		receive(got[0], 104);
		receive(got[1], 204);
		GIVES(lseek(got[1], 1000, SEEK_SET), 1000);
		_exit(0);
	}
	fds[0] = held("a", 100);
	fds[1] = held("b", 200);
	copy = dup(fds[1]);
	GIVES(give(s[0], fds, 2), 1);
	ends(pid, 0);
	AT(fds[0], 108);
	AT(copy, 1000);
	GIVES(read(copy, b, 4), 4);
	CHECK(has(b, 1000, 4));

	/* to ourselves: two numbers, one offset, whoever moves it */
	fds[0] = held("c", 300);
	GIVES(give(s[0], fds, 1), 1);
	hold(fds[0], 400); /* while it is on its way */
	take(s[1], got, 1);
	CHECK(kernel_offset(got[0]) == 404);
	receive(got[0], 404);
	AT(fds[0], 408);
	hold(fds[0], 500);
	AT(got[0], 504);
	GIVES(close(fds[0]), 0);
	child_receives(got[0], 504);

	/* received on a number that had been ours */
	fds[0] = held("d", 600);
	GIVES(give(s[0], fds, 1), 1);
	GIVES(close(fds[0]), 0);
	take(s[1], got, 1);
	CHECK(got[0] == fds[0]);
	receive(got[0], 604);

	/* not sent: nothing changes */
	fds[0] = held("e", 700);
	FAILS(give(-1, fds, 1), EBADF);
	FAILS(give(s[0], &bad, 1), EBADF);
	FAILS(give(fds[0], fds, 1), ENOTSOCK);
	AT(fds[0], 704);
	child_receives(fds[0], 704);
}
