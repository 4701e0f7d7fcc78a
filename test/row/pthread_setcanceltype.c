/* SPDX-License-Identifier: MIT */
/*
 * pthread_setcanceltype.c - A thread that may be cancelled at any instruction, and one that ends
 * itself in a handler: out of a read or a write.  Nobody waits for the dead.
 */
// covers: pthread_exit
#include "row/slots.h"

enum { ROUNDS = 12 };
static int fd;
static volatile int running;

static void at_signal(int sig)
{
	(void)sig;
	if (running)
		pthread_exit(PTHREAD_CANCELED);
}

static void *work(void *arg)
{
	int writes = *(int *)arg, old;

	GIVES(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old), 0);
	CHECK(old == PTHREAD_CANCEL_DEFERRED);
	running = 1;
	slots_use(fd, writes);
	return NULL;
}

static void end_inside(const char *name, int writes, int by_exit)
{
	int plain;

	fd = held(name, 0);
	plain = twin_of(name, O_RDWR);
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct timespec nap = {0, 20000 + round % 10 * 7000};
		pthread_t t;
		void *result;

		running = 0;
		slots_fill(fd, plain, writes);
		CHECK(!pthread_create(&t, NULL, work, &writes));
		while (!running)
			sched_yield();
		nanosleep(&nap, NULL);
		CHECK(!(by_exit ? pthread_kill(t, SIGRTMIN + 1) : pthread_cancel(t)));
		CHECK(!pthread_join(t, &result));
		if (result != PTHREAD_CANCELED)
			row_fail(__FILE__, __LINE__, "%s: ended with %p", name, result);
		slots_check(name, fd, plain, writes);
	}
	close(fd);
	RAW(SYS_close, plain);
}

static void row(void)
{
	struct sigaction sa = {.sa_handler = at_signal};

	CHECK(!sigaction(SIGRTMIN + 1, &sa, NULL));
	end_inside("read, cancelled", 0, 0);
	end_inside("written, cancelled", 1, 0);
	end_inside("read, ended", 0, 1);
	end_inside("written, ended", 1, 1);
}
