/* SPDX-License-Identifier: MIT */
/*
 * longjmp.c - A signal handler jumps out of a read or a write, as alarm() and siglongjmp() are used
 * to limit the time of a call.
 */
// covers: __longjmp_chk
#include "row/slots.h"
#include <setjmp.h>
#include <time.h>

extern void __longjmp_chk(struct __jmp_buf_tag *, int) __attribute__((noreturn));

enum { ROUNDS = 100 };
static sigjmp_buf out;
static volatile sig_atomic_t may_jump;

static void on_tick(int sig)
{
	(void)sig;
	if (!may_jump)
		return;
	may_jump = 0;
	if (begun % 2)
		__longjmp_chk(out, 1);
	siglongjmp(out, 1);
}

static timer_t tick(void)
{
	struct sigaction sa = {.sa_handler = on_tick, .sa_flags = SA_RESTART};
	struct sigevent ev = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 1};
	struct itimerspec every = {{0, 170000}, {0, 170000}};
	timer_t timer;

	ev._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	CHECK(!sigaction(SIGRTMIN + 1, &sa, NULL));
	CHECK(!timer_create(CLOCK_MONOTONIC, &ev, &timer) && !timer_settime(timer, 0, &every, NULL));
	return timer;
}

static void until_the_jump(int fd, int writes)
{
	if (sigsetjmp(out, 1))
		return;
	may_jump = 1;
	slots_use(fd, writes);
}

static void jump_out_of(int writes)
{
	const char *name = writes ? "written" : "read";
	int fd = held(name, 0), plain = twin_of(name, O_RDWR);

	for (unsigned round = 0; round < ROUNDS; round++) {
		slots_fill(fd, plain, writes);
		until_the_jump(fd, writes);
		slots_check(name, fd, plain, writes);
	}
	AT(fd, lseek(fd, 0, SEEK_CUR));
	close(fd);
	RAW(SYS_close, plain);
}

static void row(void)
{
	timer_t timer = tick();

	jump_out_of(0);
	jump_out_of(1);
	CHECK(!timer_delete(timer));
}
