/* SPDX-License-Identifier: MIT */
/*
 * longjmp.c - A signal handler jumps out of a read or a write, as alarm() and siglongjmp() are used to limit
 * the time of a call.  The kernel has moved the offset exactly where it has moved the data.  And one that jumps
 * only within itself, as a library with exceptions of its own does: the call goes on as if nothing had been.
 */
// covers: __longjmp_chk
#include "row/row.h"
#include <setjmp.h>
#include <time.h>

extern void __longjmp_chk(struct __jmp_buf_tag *, int) __attribute__((noreturn));

enum { ROUNDS = 100, SIZE = 512, SLOTS = 63 };
static __thread sigjmp_buf out, within;
static __thread volatile int stays; /* in the handler */
static __thread volatile unsigned jumps;
static __thread volatile sig_atomic_t may_jump;
static __thread volatile unsigned begun; /* calls of this round */
static __thread unsigned slot[SIZE / sizeof(unsigned)];

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
	CHECK(!timer_create(CLOCK_MONOTONIC, &ev, &timer) && !timer_settime(timer, 0, &every, NULL));
	return timer;
}

/* Round and round, until the jump.  Call number n is of slot (n - 1) % SLOTS. */
static void until_the_jump(int fd, int writes)
{
	if (sigsetjmp(out, 1))
		return;
	for (may_jump = 1;;) {
		if (writes)
			slot[0] = begun + 1;
		begun++;
		CHECK((writes ? write(fd, slot, SIZE) : read(fd, slot, SIZE)) == SIZE);
		if (begun % SLOTS == 0)
			CHECK(!lseek(fd, 0, SEEK_SET));
	}
}

/* Whether the call that was jumped out of had been made: of a read the buffer tells, of a write the file. */
static int is_done(int plain, int writes)
{
	unsigned first;

	if (!writes)
		return slot[0] == (begun - 1) % SLOTS + 1;
	CHECK(RAW(SYS_pread64, plain, &first, sizeof(first), (begun - 1) % SLOTS * SIZE) == sizeof(first));
	return first == begun;
}

static void jump_out_of(int writes)
{
	const char *name = writes ? "written" : "read";
	int fd = held(name, 0), plain = twin_of(name, O_RDWR);
	unsigned done, at, inside = 0;

	for (unsigned round = 0; round < ROUNDS; round++) {
		for (unsigned i = 0; i < SLOTS; i++) {
			slot[0] = writes ? 0 : i + 1;
			CHECK(RAW(SYS_pwrite64, plain, slot, SIZE, i * SIZE) == SIZE);
		}
		slot[0] = 0;
		begun = 0;
		GIVES(lseek(fd, 0, SEEK_SET), 0);
		until_the_jump(fd, writes);
		if (!begun)
			continue;
		done = is_done(plain, writes);
		inside += !done;
		done += begun - 1;
		at = (unsigned)(lseek(fd, 0, SEEK_CUR) / SIZE);
		/* After a round's last call the way back may not have been gone yet. */
		if (at != done % SLOTS && !(at == SLOTS && done % SLOTS == 0))
			row_fail(__FILE__, __LINE__, "%s: %u calls begun, %u done, but the offset is %u",
				 name, begun, done, at);
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
			row_fail(__FILE__, __LINE__, "call %u of slot %u read slot %u", n, n % SLOTS + 1, slot[0]);
		if (writes) {
			CHECK(RAW(SYS_pread64, plain, &first, sizeof(first), n % SLOTS * SIZE) == sizeof(first));
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
