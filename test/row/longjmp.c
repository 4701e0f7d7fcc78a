/* SPDX-License-Identifier: MIT */
/*
 * longjmp.c - A signal handler jumps out of a read or a write, as alarm() and siglongjmp() are used to
 * limit the time of a call.  And one that jumps only within itself, as a library with exceptions of
 * its own does: the call goes on as if nothing had been.
 */
// covers: __longjmp_chk
#include "row/slots.h"
#include <setjmp.h>
#include <time.h>

extern void __longjmp_chk(struct __jmp_buf_tag *, int) __attribute__((noreturn));

enum { ROUNDS = 100 };
static __thread sigjmp_buf out, within;
static __thread volatile sig_atomic_t may_jump;
static __thread volatile int stays; /* in the handler */
static __thread volatile unsigned jumps;

static void on_tick(int sig)
{
	(void)sig;
	if (stays) {
		jumps++;
		if (!sigsetjmp(within, 0))
			siglongjmp(within, 1);
	}
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
	CHECK(!timer_create(CLOCK_MONOTONIC, &ev, &timer) &&
	      !timer_settime(timer, 0, &every, NULL));
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

/* The slots one after the other, while the handler jumps about. */
static void jump_within(int writes)
{
	int fd = held(writes ? "written on" : "read on", 0), plain;
	unsigned first;

	plain = twin_of(writes ? "written on" : "read on", O_RDWR);
	for (unsigned i = 0; i < SLOTS; i++) {
		slot[0] = i + 1;
		CHECK(RAW(SYS_pwrite64, plain, slot, SIZE, i * SIZE) == SIZE);
	}
	jumps = 0;
	stays = 1;
	for (unsigned n = 0; jumps < 200; n++) {
		if (n % SLOTS == 0)
			GIVES(lseek(fd, 0, SEEK_SET), 0);
		slot[0] = writes ? n : 0;
		CHECK((writes ? write(fd, slot, SIZE) : read(fd, slot, SIZE)) == SIZE);
		if (!writes && slot[0] != n % SLOTS + 1)
			row_fail(__FILE__, __LINE__, "call %u of slot %u read slot %u", n,
				 n % SLOTS + 1, slot[0]);
		if (writes) {
			CHECK(RAW(SYS_pread64, plain, &first, sizeof(first), n % SLOTS * SIZE) ==
			      sizeof(first));
			CHECK(first == n);
		}
		AT(fd, (n % SLOTS + 1) * SIZE);
	}
	stays = 0;
	close(fd);
	RAW(SYS_close, plain);
}

static void row(void)
{
	timer_t timer = tick();

	jump_out_of(0);
	jump_out_of(1);
	jump_within(0);
	jump_within(1);
	CHECK(!timer_delete(timer));
}
