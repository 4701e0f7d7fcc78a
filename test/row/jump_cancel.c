/* SPDX-License-Identifier: MIT */
/*
 * jump_cancel.c - A handler jumps out of a call, in threads that may be cancelled at once and others, by
 * libc's function and by syscall(): whether and how the thread can be cancelled is as it was.
 */
#include "row/row.h"
#include <setjmp.h>
#include <sys/resource.h>

enum { END = 100000 };
static int fd, by_number, type;
static __thread sigjmp_buf out;

static void on_limit(int sig)
{
	(void)sig;
	siglongjmp(out, 1);
}

static void *work(void *unused)
{
	int old;

	CHECK(!pthread_setcanceltype(type, &old));
	if (!sigsetjmp(out, 1)) {
		if (by_number)
			syscall(SYS_write, fd, "hello", 5L);
		else
			(write)(fd, "hello", 5);
		CHECK(!"no signal came");
	}
	CHECK(!pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) && old == PTHREAD_CANCEL_ENABLE);
	/* libc itself leaves its own change behind where the thread was deferred. */
	CHECK(!pthread_setcanceltype(type, &old) && (!by_number || old == type));
	CHECK(type == PTHREAD_CANCEL_DEFERRED || old == type);
	return unused;
}

static void row(void)
{
	struct sigaction sa = {.sa_handler = on_limit};
	struct rlimit old, limit;

	fd = held("file", 100);
	CHECK(!getrlimit(RLIMIT_FSIZE, &old));
	limit = (struct rlimit){END, old.rlim_max};
	CHECK(!sigaction(SIGXFSZ, &sa, NULL) && !setrlimit(RLIMIT_FSIZE, &limit));
	GIVES(lseek(fd, END + 500, SEEK_SET), END + 500);
	for (int k = 0; k < 4; k++) {
		pthread_t t;

		by_number = k % 2;
		type = k / 2 ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
		CHECK(!pthread_create(&t, NULL, work, NULL) && !pthread_join(t, NULL));
		AT(fd, END + 500);
	}
	CHECK(!setrlimit(RLIMIT_FSIZE, &old));
}
