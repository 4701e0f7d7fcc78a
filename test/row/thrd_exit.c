/* SPDX-License-Identifier: MIT */
/* thrd_exit.c - A thread ends itself in the handler of the write that it has interrupted: it failed, so the offset stays. */
#include "row/row.h"
#include <sys/resource.h>
#include <threads.h>

enum { END = 100000 };
static int fd;

static void on_limit(int sig)
{
	(void)sig;
	thrd_exit(7);
}

static int work(void *unused)
{
	(void)unused;
	return (int)write(fd, "hello", 5);
}

static void row(void)
{
	struct sigaction sa = {.sa_handler = on_limit};
	struct rlimit old, limit;
	thrd_t thread;
	int result;

	fd = held("file", 100);
	CHECK(!getrlimit(RLIMIT_FSIZE, &old));
	limit = (struct rlimit){END, old.rlim_max};
	CHECK(!sigaction(SIGXFSZ, &sa, NULL) && !setrlimit(RLIMIT_FSIZE, &limit));
	GIVES(lseek(fd, END + 500, SEEK_SET), END + 500);
	CHECK(thrd_create(&thread, work, NULL) == thrd_success);
	CHECK(thrd_join(thread, &result) == thrd_success && result == 7);
	CHECK(!setrlimit(RLIMIT_FSIZE, &old));
	AT(fd, END + 500);
	CHECK(size_of("file") == ROW_SIZE);
}
