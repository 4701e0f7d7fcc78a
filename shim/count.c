/* SPDX-License-Identifier: MIT */
/* Floor 2, counters: where the blocks come from. */
#include "hot.h"
#include <sys/mman.h>

struct block *count_blocks;
static bool on;

static struct {
	struct block *at;
	uint32_t n, used;
	long pid; /* whose it is */
} room;

/*
 * A child made by fork shares the room with its parent until it gets one of its own, and libc calls
 * handlers of pthread_atfork before that.  So there is no spare description in it, which would be the
 * one's and the other's: in its place is one that is always busy (spare_take).
 */
static struct ofd no_spare = {.word = {0, KERNEL | W_WHO_ONE}};

static struct block *room_block(uint32_t i)
{
	room.at[i].spare = &no_spare;
	return &room.at[i];
}

static void begin(struct block *first)
{
	first->tid = my_tid();
	count_blocks = first;
	tls.block = first;
	on = true;
}

void count_on(struct block *at, uint32_t n)
{
	room.at = at;
	room.n = n;
	room.used = 1;
	room.pid = n ? RAW0(SYS_getpid) : 0;
	begin(n ? room_block(0) : &hot.first_block);
}

void count_off(void)
{
	on = false;
	tls.block = NULL;
}

/*
 * A thread that has ended leaves its block behind.  Looking at two blocks for each new thread
 * keeps their number within about twice the largest number of threads that were alive at once,
 * and costs a new thread two cheap system calls.
 */
static struct block *block_of_the_dead(int me)
{
	static struct block *cursor; /* a hint: threads may race for it */
	int pid = (int)RAW0(SYS_getpid);

	for (int i = 0; i < 2; i++) {
		struct block *b = __atomic_load_n(&cursor, __ATOMIC_RELAXED);
		long tid;

		if (!b)
			b = __atomic_load_n(&count_blocks, __ATOMIC_ACQUIRE);
		tid = __atomic_load_n(&b->tid, __ATOMIC_RELAXED);
		__atomic_store_n(&cursor, b->next, __ATOMIC_RELAXED);
		if ((tid == 0 || RAW3(SYS_tgkill, pid, tid, 0) == -ESRCH) &&
		    __atomic_compare_exchange_n(&b->tid, &tid, me, false, __ATOMIC_SEQ_CST,
						__ATOMIC_RELAXED))
			return b;
	}
	return NULL;
}

/* The next half of a page; a new page when the last one is used up. */
static struct block *block_new(void)
{
	static uintptr_t spare;
	uintptr_t at = __atomic_load_n(&spare, __ATOMIC_RELAXED);
	uint32_t used = __atomic_load_n(&room.used, __ATOMIC_RELAXED);

	while (used < room.n && RAW0(SYS_getpid) == room.pid)
		if (__atomic_compare_exchange_n(&room.used, &used, used + 1, false,
						__ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
			return room_block(used);

	while (at % 4096) {
		if (__atomic_compare_exchange_n(&spare, &at, at + sizeof(struct block), false,
						__ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
			return (struct block *)at;
	}
	at = (uintptr_t)RAW6(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at > -4096UL)
		return NULL;
	__atomic_store_n(&spare, at + sizeof(struct block), __ATOMIC_SEQ_CST);
	return (struct block *)at;
}

struct block *count_block(void)
{
	struct block *b, *head;
	int me;

	if (!on || !hot.size) /* a filter of the program's own may kill for what follows */
		return NULL;
	me = my_tid();
	b = block_of_the_dead(me);
	if (!b) {
		b = block_new();
		if (!b)
			return NULL;
		b->tid = me;
		head = __atomic_load_n(&count_blocks, __ATOMIC_ACQUIRE);
		do {
			b->next = head;
		} while (!__atomic_compare_exchange_n(&count_blocks, &head, b, false, __ATOMIC_SEQ_CST,
						      __ATOMIC_RELAXED));
	}
	/*
	 * A signal handler of this thread may have been here between: ours is for another thread.
	 */
	if (tls.block) {
		b->tid = 0;
		return tls.block;
	}
	tls.block = b;
	return b;
}

static uint64_t sum_of(unsigned counter)
{
	uint64_t sum = 0;

	for (struct block *b = count_blocks; b; b = b->next)
		sum += __atomic_load_n(&b->n[counter], __ATOMIC_RELAXED);
	return sum;
}

/* Each pass has a reason; the commonest is not counted, but is what the others leave. */
uint64_t count_sum(unsigned counter)
{
	uint64_t left;

	if (counter != C_why + R_unseeked)
		return sum_of(counter);
	left = sum_of(C_pass_lseek) + sum_of(C_pass_read) + sum_of(C_pass_write) + sum_of(C_pass_other);
	for (unsigned i = C_why; i < C_why + REASONS; i++)
		left -= sum_of(i);
	return (int64_t)left > 0 ? left : 0; /* other threads count meanwhile */
}

unsigned count_threads(void)
{
	return count_blocks && count_blocks->next ? 2 : 1;
}

/* A forked child counts from nothing, and its one thread is alive. */
void count_reset_in_child(void)
{
	if (room.n && !on) { /* it is still the parent's */
		count_blocks = NULL;
		return;
	}
	if (room.n) { /* it is new, and empty */
		room.used = 1;
		room.pid = RAW0(SYS_getpid);
		begin(room_block(0));
		return;
	}
	for (struct block *b = count_blocks; b; b = b->next) {
		for (unsigned i = 0; i < COUNTERS; i++)
			b->n[i] = 0;
		b->tid = b == tls.block && hot.size ? my_tid() : 0;
	}
}
