/* SPDX-License-Identifier: MIT */
/* The explorer's threads: coroutines that stop at each announcement of a step. */
#include "explore.h"
#include "flight.h"

#if !defined(__x86_64__)
#error "the explorer switches stacks, and makes signal frames, of x86-64"
#endif

enum { FRAME = 40, FRAMES = 4 };
struct thread threads[THREADS];
int running = -1;
bool signal_is_due;
char stacks[THREADS][STACK] __attribute__((aligned(4096)));
static void *search_sp;
static void (*body_of_all)(int thread);
static void (*handler_of_0)(void);

/* ---- from stack to stack ---- */

void stack_switch(void **from, void *to);
__asm__(".text\n"
	".type stack_switch, %function\n"
	"stack_switch:\n\t"
	"push %rbp\n\tpush %rbx\n\tpush %r12\n\tpush %r13\n\tpush %r14\n\tpush %r15\n\t"
	"mov %rsp, (%rdi)\n\t"
	"mov %rsi, %rsp\n\t"
	"pop %r15\n\tpop %r14\n\tpop %r13\n\tpop %r12\n\tpop %rbx\n\tpop %rbp\n\t"
	"ret\n\t"
	".size stack_switch, . - stack_switch");

static void stop(void)
{
	stack_switch(&threads[running].sp, search_sp);
}

static void first_frame(void)
{
	int me = running;

	body_of_all(me);
	threads[me].ended = true;
	threads[me].next = (struct step){0};
	stop();
}

static void resume(int thread)
{
	struct thread *t = &threads[thread];

	running = thread;
	tls = t->tls;
	stack_switch(&search_sp, t->sp);
	t->tls = tls;
	running = -1;
}

static void forget_frames(void);

/* Each runs up to its first step.  What tls holds is the caller's to say. */
void threads_start(int n, void (*body)(int thread), void (*handler)(void))
{
	forget_frames();
	body_of_all = body;
	handler_of_0 = handler;
	signal_is_due = handler;
	for (int i = 0; i < THREADS; i++) {
		struct thread *t = &threads[i];
		struct tls kept = t->tls;
		uintptr_t *top = (uintptr_t *)(stacks[i] + STACK - 72);

		memset(t, 0, sizeof(*t));
		t->tls = kept;
		t->ended = i >= n;
		*top = 0; /* no caller */
		*--top = (uintptr_t)first_frame;
		t->sp = memset(top - 6, 0, 6 * sizeof(*top));
		if (i < n)
			resume(i);
	}
}

void thread_step(int thread, int code)
{
	threads[thread].code = code;
	resume(thread);
}

/* ---- the handler ---- */

/* The instructions of fly: places only, nobody comes here. */
extern const char fly_critical[], fly_calls[], fly_returned[], fly_left[], fly_aborted[];
__asm__(".text\n"
	"fly_critical:\n\tnop\nfly_calls:\n\tnop\nfly_returned:\n\tnop\nfly_left:\n\tnop\nfly_"
	"aborted:\n\tnop\n\t"
	".pushsection flight_sites, \"a\"\n\t"
	".long fly_critical - ., fly_returned - ., fly_left - ., fly_aborted - .\n\t"
	".popsection");

/* Registers where a signal frame has them, as flight.c looks for them below fly's stack pointer. */
static uintptr_t *saved_frames[FRAMES];
static void forget_frames(void)
{
	for (int i = 0; i < FRAMES && saved_frames[i]; i++) {
		memset(saved_frames[i], 0, FRAME * sizeof(uintptr_t));
		saved_frames[i] = NULL;
	}
}

static __attribute__((noinline)) void take_signal(struct thread *t)
{
	static const char *const at[] = {fly_critical, fly_calls, fly_returned, fly_left};
	uintptr_t frame[FRAME] = {0}, *p = frame + FRAME / 2;
	int i = 0;

	if (t->flying) {
		p[0] = t->flying->sp;
		p[1] = (uintptr_t)at[t->pc];
		p[-2] = (uintptr_t)t->result;
		p[-4] = (uintptr_t)t->flying;
		p[-14] = (uintptr_t)t->mark;
		while (i < FRAMES - 1 && saved_frames[i])
			i++;
		saved_frames[i] = frame;
	}
	signal_is_due = false;
	kernel.sleepers += t->next.wait == SLEEPS;
	__asm__ volatile("" : : "r"(frame) : "memory");
	{
		struct flight *flying = t->flying;
		int pc = t->pc;
		long result = t->result, mark = t->mark;

		t->flying = NULL;
		handler_of_0();
		t->flying = flying;
		t->pc = pc;
		t->result = result;
		t->mark = mark;
	}
	__asm__ volatile("" : : "r"(frame) : "memory");
	if (t->flying && p[1] == (uintptr_t)fly_aborted)
		t->pc = ABORTED;
}

/* ---- announcements ---- */

uint64_t access_value(const struct access *a)
{
	uint64_t value = 0;

	if (a->kind == LOAD || a->kind == STORE)
		memcpy(&value, (const void *)a->at, a->size < 8 ? a->size : 8);
	return value;
}

/* Kept for a thread that waits in a loop: it is not run until something of this has changed. */
static void remember(struct thread *t, const struct step *s)
{
	struct access a[ACCESSES];
	int n = step_accesses(t, a);

	if (s->wait == AWAITS)
		t->seen_count = 0;
	for (int i = 0; i < n && s->wait != AWAITS; i++) {
		int at = 0;

		while (at < t->seen_count && t->seen[at].at != a[i].at)
			at++;
		if (at == ACCESSES) {
			memmove(t->seen, t->seen + 1, sizeof(t->seen) - sizeof(*t->seen));
			at--;
		}
		if (at == t->seen_count)
			t->seen_count++;
		t->seen[at] = (struct access){a[i].at, LOAD, a[i].size, 0};
		t->seen[at].before = access_value(&t->seen[at]);
	}
}

/* Stops until the step is to be done.  False: a signal has come instead, where the thread slept. */
bool thread_announce(const struct step *s)
{
	struct thread *t = &threads[running];

	for (;;) {
		t->next = *s;
		stop();
		if (t->code != SIGNAL) {
			remember(t, s);
			return true;
		}
		take_signal(t);
		if (s->wait == SLEEPS)
			return false;
	}
}

/* The step that was done last has changed what it looked at. */
void thread_look_again(void)
{
	remember(&threads[running], &threads[running].next);
}

/* Where only a signal may come. */
void thread_place(const struct place *place)
{
	struct step s = {.place = place, .name = "(place)"};

	if (running == 0 && signal_is_due && !threads[0].masked)
		thread_announce(&s);
}

int step_accesses(const struct thread *t, struct access *a)
{
	const struct step *s = &t->next;

	if (s->is_outside)
		return outside_accesses(a);
	if (s->is_call)
		return kernel_accesses(s->nr, s->arg, a);
	if (s->wait == AWAITS) {
		memcpy(a, t->seen, (size_t)t->seen_count * sizeof(*a));
		return t->seen_count;
	}
	for (int i = 0; i < s->n; i++)
		a[i] = s->access[i];
	return s->n;
}

bool is_in(const volatile void *at, const void *start, size_t size)
{
	return (uintptr_t)at - (uintptr_t)start < size;
}
/* What threads share: the small fields, the first slots; what is under way, on the stacks. */
static bool is_shared(const volatile void *at)
{
	return (is_in(at, &hot, offsetof(struct hot, slot[32])) &&
		!is_in(at, &hot.first_block, sizeof(hot.first_block))) ||
	       is_in(at, stacks, sizeof(stacks));
}

static void announce_access(const struct place *place, const char *name, enum access_kind kind,
			    const volatile void *at, size_t size)
{
	struct step s = {.place = place, .name = name, .n = 1, .access = {{at, kind, size, 0}}};

	if (running < 0)
		return;
	if (is_shared(at))
		thread_announce(&s);
	else
		thread_place(place);
}
void machine_load(const struct place *place, const volatile void *at, size_t size)
{
	announce_access(place, "load", LOAD, at, size);
}
void machine_store(const struct place *place, const volatile void *at, size_t size)
{
	announce_access(place, "change", STORE, at, size);
}
void machine_swap(const struct place *place, const volatile void *word)
{
	struct step s = {.place = place, .name = "swap", .n = 2};

	if (running < 0)
		return;
	if (!word || !is_shared(word)) {
		thread_place(place);
		return;
	}
	s.access[0] = (struct access){word, STORE, 8, 0};
	s.access[1] = (struct access){(const char *)word + 8, STORE, 8, 0};
	thread_announce(&s);
}

/* What another thread's flight says while its owner goes on: its phase, and its stack pointer. */
void machine_peek(const struct place *place, const void *flight)
{
	const struct flight *f = flight;
	struct step s = {.place = place, .name = "look into", .n = 2};

	if (running < 0 || !is_in(flight, stacks, sizeof(stacks)))
		return;
	s.access[0] = (struct access){&f->phase, LOAD, sizeof(f->phase), 0};
	s.access[1] = (struct access){&f->sp, LOAD, sizeof(f->sp), 0};
	thread_announce(&s);
}

void thread_call_edge(enum access_kind kind, const char *name)
{
	static const struct place nowhere = {"", "the program", 0};
	static const char edge;
	struct step s = {.place = &nowhere, .name = name, .n = 1, .access = {{&edge, kind, 1, 0}}};

	if (running >= 0)
		thread_announce(&s);
}
