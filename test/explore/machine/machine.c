/* SPDX-License-Identifier: MIT */
/* The explorer's machine: system calls, and those in the place of the program's (shim/fly.h). */
#include "explore.h"
#include "flight.h"
#include <linux/futex.h>
#include <signal.h>

/* ---- system calls that are not on files ---- */

static long futex(const struct place *place, const uint32_t *at, int op, uint32_t expected)
{
	struct thread *t = &threads[running];
	struct step s = {.place = place, .n = 2};

	s.access[0] = (struct access){&kernel.sleepers, STORE, sizeof(kernel.sleepers), 0};
	s.access[1] = (struct access){at, LOAD, 8, 0};
	if (op == FUTEX_WAKE_PRIVATE) {
		s.name = "futex: wake";
		s.n = 1;
		thread_announce(&s);
		for (int i = 0; i < THREADS; i++)
			if (threads[i].next.wait == SLEEPS && !threads[i].woken &&
			    threads[i].next.access[1].at == at) {
				threads[i].woken = true;
				kernel.sleepers++;
			}
		return 0;
	}
	s.name = "futex: wait";
	thread_announce(&s);
	if (*at != expected)
		return -EAGAIN;
	kernel.sleepers++;
	t->woken = false;
	s.name = "woken";
	s.wait = SLEEPS;
	s.access[1].before = expected;
	s.access[0].kind = LOAD;
	s.n = 1;
	if (!thread_announce(&s))
		return -EINTR;
	if (t->code >= TIMEOUT) {
		kernel.sleepers++;
		return -ETIMEDOUT;
	}
	return 0;
}

static long change_mask(const struct place *place, long how, const uint64_t *mask, uint64_t *old)
{
	struct thread *t = &threads[running < 0 ? 0 : running];

	if (how != SIG_SETMASK) /* ground_peek asks whether memory is there */
		return is_in(mask, stacks, sizeof(stacks)) || is_in(mask, &hot, sizeof(hot))
			       ? -EINVAL
			       : -EFAULT;
	if (running >= 0)
		thread_place(place);
	if (old)
		*old = t->masked ? ~0UL : 0;
	t->masked = *mask;
	return 0;
}

long machine_call(const struct place *place, long nr, long a, long b, long c, long d, long e,
		  long f)
{
	struct step s = {.place = place, .is_call = true, .nr = nr, .arg = {a, b, c, d}};

	(void)e;
	(void)f;
	switch (nr) {
	case SYS_getpid:
		return 1;
	case SYS_gettid:
		return 100 + running;
	case SYS_tgkill:
	case SYS_sigaltstack:
		return nr == SYS_sigaltstack ? (memset((void *)b, 0, sizeof(stack_t)), 0) : 0;
	case SYS_rt_sigprocmask:
		return change_mask(place, a, (const uint64_t *)b, (uint64_t *)c);
	case SYS_mmap:
		return -ENOMEM;
	}
	s.name = kernel_name(nr);
	if (running < 0)
		return nr == SYS_futex ? 0 : kernel_do(nr, s.arg);
	if (nr == SYS_futex)
		return futex(place, (const uint32_t *)a, (int)b, (uint32_t)c);
	if (nr == SYS_sched_yield || nr == SYS_nanosleep) {
		s = (struct step){.place = place, .name = "looks again", .wait = AWAITS};
		thread_announce(&s);
		return 0;
	}
	thread_announce(&s);
	/* A handler may have sent the thread away from the very instruction. */
	return threads[running].flying && threads[running].pc == ABORTED ? LOOK_AGAIN
									 : kernel_do(nr, s.arg);
}

/* As the assembly of fly.h, instruction by instruction where a signal makes a difference. */
long machine_fly(const struct place *place, struct flight *f, long nr, long a, long b, long c,
		 long d, long e, long g)
{
	struct thread *t = &threads[running < 0 ? 0 : running];
	long r;

	machine_store(place, &f->sp, sizeof(f->sp));
	f->sp = (uintptr_t)__builtin_frame_address(0);
	machine_store(place, &f->phase, sizeof(f->phase));
	f->phase = IN_FLIGHT;
	if (running < 0)
		return f->phase = LANDED, f->result = machine_call(place, nr, a, b, c, d, e, g);
	t->flying = f;
	t->mark = g;
	t->pc = CRITICAL;
	thread_place(place);
	if (t->pc == ABORTED || f->aborted) {
		t->flying = NULL;
		return LOOK_AGAIN;
	}
	t->pc = CALLS;
	r = machine_call(place, nr, a, b, c, d, e, g);
	if (t->pc == ABORTED) {
		t->flying = NULL;
		return LOOK_AGAIN;
	}
	t->result = r;
	t->pc = RETURNED;
	thread_place(place);
	f->result = r;
	machine_store(place, &f->phase, sizeof(f->phase));
	f->phase = LANDED;
	t->flying = NULL;
	return r;
}
