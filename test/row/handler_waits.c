/* SPDX-License-Identifier: MIT */
/*
 * handler_waits.c - A handler that has interrupted a write waits for a thread that uses the same description,
 * as one that stops the world for a garbage collector does.  The kernel has let go of the offset by then.
 */
#include "row/row.h"
#include <sys/resource.h>

enum { END = 100000 };
static int fd, ask[2], answer[2];

static void on_limit(int sig)
{
	char c = (char)sig;

	CHECK(RAW(SYS_write, ask[1], &c, 1) == 1 && RAW(SYS_read, answer[0], &c, 1) == 1);
}

static void *other(void *wanted)
{
	char c;

	CHECK(RAW(SYS_read, ask[0], &c, 1) == 1);
	AT(fd, *(off_t *)wanted);
	CHECK(RAW(SYS_write, answer[1], &c, 1) == 1);
	return NULL;
}

/* It fails, or comes short: in both cases SIGXFSZ comes at the end of the call. */
static void write_at(off_t at, size_t n, int error)
{
	off_t wanted = at;
	pthread_t t;

	GIVES(lseek(fd, at, SEEK_SET), at);
	CHECK(!pthread_create(&t, NULL, other, &wanted));
	errno = 0;
	CHECK(write(fd, "hello, world", n) == -1 && errno == error);
	CHECK(!pthread_join(t, NULL));
	AT(fd, wanted);
}

static void row(void)
{
	struct sigaction sa = {.sa_handler = on_limit};
	struct rlimit old, limit;

	fd = held("file", 100);
	CHECK(!pipe(ask) && !pipe(answer) && !getrlimit(RLIMIT_FSIZE, &old));
	limit = (struct rlimit){END, old.rlim_max};
	CHECK(!sigaction(SIGXFSZ, &sa, NULL) && !setrlimit(RLIMIT_FSIZE, &limit));
	for (int i = 0; i < 20; i++)
		write_at(END + 500 + i, 5, EFBIG);
	CHECK(!setrlimit(RLIMIT_FSIZE, &old));
	GIVES(lseek(fd, 600, SEEK_SET), 600);
	GIVES(write(fd, "abcd", 4), 4);
	AT(fd, 604);
}
