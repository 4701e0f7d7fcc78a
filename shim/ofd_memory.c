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

struct ofd *ofd_new(bool append)
{
	struct block *b = tls.block;
	struct ofd *o = b ? spare_take(b) : NULL;
	struct word old;

	if (!o && !(o = find()))
		return NULL;
	ofd_clear(o);
	do { /* who looked before it was freed may still count himself off (W9) */
		old = word_load(&o->word);
	} while (!word_swap(&o->word, old, ofd_first_word(old, append)));
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

static bool was_seeked_once(const struct ofd *o, uint64_t ctl)
{
	enum state state = (enum state)(ctl & W_STATE);

	return ctl & W_SEEKED ? state == KERNEL : state == OURS && o->saved <= 1;
}

/* The count of calls stays (W9); the owner of a mark does not. */
HOT uint64_t ofd_freed(uint64_t ctl)
{
	struct word w = {0, ctl};

	return word_next(w, FREE, 0, word_is_marked(w) ? 0 : word_who(w)).ctl;
}

OFTEN int ofd_drop(struct ofd *o)
{
	struct block *b = tls.block;
	uint64_t old;

	if (__atomic_sub_fetch(&o->refs, 1, __ATOMIC_SEQ_CST))
		return 0;
	old = __atomic_load_n(&o->word.ctl, __ATOMIC_RELAXED);
	while (!word_swap_ctl(&o->word, &old, ofd_freed(old)))
		;
	if (unlikely(old & W_WAITERS))
		ofd_wake_waiters(o);
	if (was_seeked_once(o, old) && __atomic_load_n(&hot.seeks_again, __ATOMIC_RELAXED) > -2)
		ofd_seeks_again(false);
	if (unlikely(!b || !spare_swap(b, NULL, o)))
		push(o);
	return 0;
}
