/* SPDX-License-Identifier: MIT */
/*
 * pthread_setcanceltype.c - A thread that may be cancelled at any instruction, and one that ends itself in a
 * handler: out of a read or a write.  Where the data has moved the offset has, and nobody waits for the dead.
 */
// covers: pthread_exit
#include "row/row.h"

enum { ROUNDS = 12, SIZE = 512, SLOTS = 63 };
static int fd;
static volatile unsigned begun;
static volatile int running;
static unsigned slot[SIZE / sizeof(unsigned)];

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
	for (running = 1;;) {
		if (writes)
			slot[0] = begun + 1;
		begun++;
		CHECK((writes ? write(fd, slot, SIZE) : read(fd, slot, SIZE)) == SIZE);
		if (begun % SLOTS == 0)
			CHECK(!lseek(fd, 0, SEEK_SET));
	}
	return NULL;
}

static int is_done(int plain, int writes)
{
	unsigned first;

	if (!writes)
		return slot[0] == (begun - 1) % SLOTS + 1;
	CHECK(RAW(SYS_pread64, plain, &first, sizeof(first), (begun - 1) % SLOTS * SIZE) == sizeof(first));
	return first == begun;
}

static void end_inside(const char *name, int writes, int by_exit)
{
	int plain;

	fd = held(name, 0);
	plain = twin_of(name, O_RDWR);
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct timespec nap = {0, 20000 + round % 10 * 7000};
		unsigned done, at;
		pthread_t t;
		void *result;

		for (unsigned i = 0; i < SLOTS; i++) {
			slot[0] = writes ? 0 : i + 1;
			CHECK(RAW(SYS_pwrite64, plain, slot, SIZE, i * SIZE) == SIZE);
		}
		slot[0] = 0;
		begun = 0;
		running = 0;
		GIVES(lseek(fd, 0, SEEK_SET), 0);
		CHECK(!pthread_create(&t, NULL, work, &writes));
		while (!running)
			sched_yield();
		nanosleep(&nap, NULL);
		CHECK(!(by_exit ? pthread_kill(t, SIGRTMIN + 1) : pthread_cancel(t)));
		CHECK(!pthread_join(t, &result));
		if (result != PTHREAD_CANCELED)
			row_fail(__FILE__, __LINE__, "%s: ended with %p", name, result);
		if (!begun)
			continue;
		done = begun - 1 + is_done(plain, writes);
		at = (unsigned)(lseek(fd, 0, SEEK_CUR) / SIZE);
		if (at != done % SLOTS && !(at == SLOTS && done % SLOTS == 0))
			row_fail(__FILE__, __LINE__, "%s: %u calls begun, %u done, but the offset is %u",
				 name, begun, done, at);
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
