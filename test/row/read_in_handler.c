/* SPDX-License-Identifier: MIT */
/*
 * read_in_handler.c - A signal handler seeks to the end of the file whose read it has interrupted.  The read was
 * made before, and has its bytes, or comes after, and finds the end; then it leaves its buffer alone.
 */
#include "row/row.h"
#include <sys/time.h>
#include <time.h>

enum { TICKS = 400 };
static __thread int fd;
static __thread volatile int ticks;

static void on_tick(int sig)
{
	(void)sig;
	ticks++;
	GIVES(lseek(fd, 0, SEEK_END), ROW_SIZE);
}

static void row(void)
{
	struct sigaction sa = {.sa_handler = on_tick, .sa_flags = SA_RESTART};
	struct sigevent ev = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 1};
	struct itimerspec every = {{0, 170000}, {0, 170000}};
	timer_t timer;
	char b[16];
	long n;

	fd = held("file", 0);
	ev._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	CHECK(!sigaction(SIGRTMIN + 1, &sa, NULL));
	CHECK(!timer_create(CLOCK_MONOTONIC, &ev, &timer) && !timer_settime(timer, 0, &every, NULL));
	for (ticks = 0; ticks < TICKS;) {
		CHECK(lseek(fd, 512, SEEK_SET) == 512);
		b[0] = (char)~byte_at(512);
		n = read(fd, b, sizeof b);
		CHECK(n == 0 || n == sizeof b);
		CHECK(n == 0 ? b[0] == (char)~byte_at(512) : has(b, 512, sizeof b));
	}
	CHECK(!timer_delete(timer));
	close(fd);
}
