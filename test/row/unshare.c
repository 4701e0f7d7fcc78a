/* SPDX-License-Identifier: MIT */
/* A thread that gets a table of its own: the same number is then two things in one process. */
#include "row.h"
#include <sched.h>

static int fd, other, number;

static void *apart(void *unused)
{
	char b[4];

	GIVES(unshare(CLONE_FILES), 0);
	AT(fd, 104);
	GIVES(read(fd, b, 4), 4); /* the description is the same: both have moved */
	CHECK(has(b, 104, 4));
	GIVES(close(other), 0); /* the number is not */
	number = open("a", O_RDWR);
	CHECK(number == other);
	AT(number, 0);
	hold(number, 500);
	child_receives(number, 504);
	return unused;
}

static void row(void)
{
	char b[4];
	pthread_t t;

	FAILS(unshare(0x1), EINVAL);
	fd = held("a", 100);
	other = held("b", 200);
	CHECK(!pthread_create(&t, NULL, apart, NULL) && !pthread_join(t, NULL));
	AT(fd, 108);
	AT(other, 204);
	GIVES(read(other, b, 4), 4);
	CHECK(has(b, 204, 4));
	child_receives(other, 208);
	number = held("c", 300); /* and what is opened now works as ever */
	AT(number, 304);
	child_receives(number, 304);
}
