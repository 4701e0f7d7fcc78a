/* SPDX-License-Identifier: MIT */
/* Floor 2, state: the life of an open file description, and the memory that it lives in. */
#include "hot.h"
#include <sys/mman.h>

/* The list of free ones: its head is a pointer and a tag against re-use. */
static void push(struct ofd *o)
{
	struct word head;

	do {
		head = word_load(&hot.free);
		o->next = (struct ofd *)head.off;
	} while (!word_swap(&hot.free, head, (struct word){(int64_t)o, head.ctl + 1}));
}

static struct ofd *pop(void)
{
	struct word head;
	struct ofd *o;

	do {
		head = word_load(&hot.free);
		o = (struct ofd *)head.off;
		if (!o)
			return NULL;
	} while (!word_swap(
		&hot.free, head,
		(struct word){(int64_t)__atomic_load_n(&o->next, __ATOMIC_RELAXED), head.ctl + 1}));
	return o;
}

/*
 * The ofd that the thread freed last is its own.  A signal handler of the thread may come in
 * between: one instruction, but without the lock that other threads would ask for.
 */
static bool spare_swap(struct block *b, struct ofd *old, struct ofd *new)
{
#if defined(__x86_64__)
	bool ok;

	__asm__ volatile("cmpxchg %3, %1"
			 : "=@ccz"(ok), "+m"(b->spare), "+a"(old)
			 : "r"(new)
			 : "memory");
	return ok;
#else
	return __atomic_compare_exchange_n(&b->spare, &old, new, false, __ATOMIC_RELAXED,
					   __ATOMIC_RELAXED);
#endif
}
HOT struct ofd *spare_take(void)
{
	struct block *b = tls.block;
	struct ofd *o = b ? b->spare : NULL;

	return o && spare_swap(b, o, NULL) ? o : NULL;
}

static struct ofd *refill(void)
{
	enum { CHUNK = 65536 };
	uint32_t i = __atomic_fetch_add(&hot.used_at_start, 1, __ATOMIC_RELAXED);
	long at;

	if (i < sizeof(hot.at_start) / sizeof(*hot.at_start))
		return &hot.at_start[i];
	__atomic_fetch_sub(&hot.used_at_start, 1, __ATOMIC_RELAXED);
	at = RAW6(SYS_mmap, NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		  0);
	if ((unsigned long)at > -4096UL) {
		count(C_gone + R_memory);
		return NULL;
	}
	for (size_t k = CHUNK / sizeof(struct ofd); --k;)
		push((struct ofd *)at + k);
	return (struct ofd *)at;
}

COLD static struct ofd *find(void)
{
	struct ofd *o = pop();

	return o ? o : refill();
}

OFTEN struct ofd *ofd_new(bool append)
{
	struct ofd *o = spare_take();
	struct word new;

	if (unlikely(!o) && !(o = find()))
		return NULL;
	o->saved = 0;
	o->backs = 0;
	o->why = R_unseeked;
	o->closer = 0;
	__atomic_store_n(&o->birth, o->birth + 1, __ATOMIC_RELAXED);
	__atomic_store_n(&o->refs, 1, __ATOMIC_RELAXED);
	/* Nobody else changes a FREE word: each swap of a late look expects an older seq (W1). */
	new = word_next(o->word, KERNEL, 0, 0);
	new.ctl &= ~(W_ADMITTED | W_APPEND);
	new.ctl |= W_KNOWN | (append ? W_APPEND : 0);
	__atomic_store_n(&o->word.off, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&o->word.ctl, new.ctl, __ATOMIC_RELEASE);
	return o;
}

bool ofd_get(struct ofd *o)
{
	uint32_t refs = __atomic_load_n(&o->refs, __ATOMIC_RELAXED);

	while (refs)
		if (__atomic_compare_exchange_n(&o->refs, &refs, refs + 1, false, __ATOMIC_SEQ_CST,
						__ATOMIC_RELAXED))
			return true;
	return false;
}

/* Written only where the guess changes: threads share the line. */
OFTEN void ofd_seeks_again(bool again)
{
	int32_t now = __atomic_load_n(&hot.seeks_again, __ATOMIC_RELAXED);

	if (again ? now < 2 : now > -2)
		__atomic_store_n(&hot.seeks_again, now + (again ? 1 : -1), __ATOMIC_RELAXED);
}

static bool was_seeked_once(const struct ofd *o, struct word w)
{
	return w.ctl & W_SEEKED ? word_state(w) == KERNEL : word_state(w) == OURS && o->saved <= 1;
}

OFTEN void ofd_drop(struct ofd *o)
{
	struct word old;

	if (__atomic_sub_fetch(&o->refs, 1, __ATOMIC_SEQ_CST))
		return;
	do {
		old = word_load(&o->word);
	} while (!word_swap(&o->word, old, word_next(old, FREE, 0, 0)));
	ofd_wake(o, old);
	if (was_seeked_once(o, old))
		ofd_seeks_again(false);
	if (unlikely(!tls.block || !spare_swap(tls.block, NULL, o)))
		push(o);
}
