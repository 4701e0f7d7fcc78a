/* SPDX-License-Identifier: MIT */
/* Floor 2, state: the life of an open file description and the movements of its offset. */
#include "audit.h"
#include "flight.h"
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* ---- memory: a list of free ones, its head a pointer and a tag against re-use ---- */

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
	} while (!word_swap(&hot.free, head,
			    (struct word){(int64_t)__atomic_load_n(&o->next, __ATOMIC_RELAXED),
					  head.ctl + 1}));
	return o;
}

/*
 * The ofd that the thread freed last is its own.  A signal handler of the thread may come in between:
 * one instruction, but without the lock that other threads would ask for.
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

/* ---- which offsets the kernel is known to accept ---- */

void ofd_learn(struct ofd *o, uint32_t birth, int64_t accepted)
{
	uint64_t limit = __atomic_load_n(&o->limit, __ATOMIC_RELAXED);
	uint64_t new = ((uint64_t)accepted & ~4095UL) | birth % 4096;

	if (accepted >= 0 && (limit % 4096 != birth % 4096 || limit < new))
		__atomic_store_n(&o->limit, new, __ATOMIC_RELAXED);
}

/* ---- waiting, as the kernel's lock would make a call wait ---- */

/* A vfork child asks for threads of its parent, and cannot. */
bool ofd_owner_lives(int tid)
{
	return tls.vfork_depth || tls.for_parent ||
	       RAW3(SYS_tgkill, RAW0(SYS_getpid), tid, 0) != -ESRCH;
}

/* The owner died between mark and settle: what it reserved stands. */
static void bury(struct ofd *o, struct word w)
{
	if (word_swap(&o->word, w, word_next(w, OURS, w.off, 0)))
		count(C_buried);
}

void ofd_wait(struct ofd *o, struct word w)
{
	const struct timespec slice = {0, 10 * 1000 * 1000};
	uint64_t ctl = w.ctl;
	uint32_t *low = (uint32_t *)&o->word.ctl;

	count(C_wait);
	for (int i = 0; i < 200; i++) {
		cpu_relax();
		if (__atomic_load_n(&o->word.ctl, __ATOMIC_ACQUIRE) != ctl)
			return;
	}
	if (!(ctl & W_WAITERS)) {
		if (!word_swap_ctl(&o->word, &ctl, ctl | W_WAITERS))
			return;
		w.ctl = ctl |= W_WAITERS;
	}
	if (RAW4(SYS_futex, low, FUTEX_WAIT_PRIVATE, (uint32_t)ctl, &slice) == -ETIMEDOUT &&
	    !ofd_owner_lives(word_who(w)))
		bury(o, w);
}

void ofd_wake(struct ofd *o, struct word old)
{
	if (unlikely(old.ctl & W_WAITERS))
		RAW3(SYS_futex, (uint32_t *)&o->word.ctl, FUTEX_WAKE_PRIVATE, 0x7fffffff);
}

/* ---- to the kernel ---- */

static void gone(struct ofd *o, enum reason why)
{
	o->why = (uint8_t)why;
	count(C_gone + why);
}

/* The kernel holds it already; the count of its calls stays, they are still under way (W3). */
static bool let_go_of_kernels(struct ofd *o, struct word w, enum reason why)
{
	uint64_t ctl = w.ctl;
	uint64_t new = ((ctl & ~(W_STATE | W_KNOWN)) | GONE) + W_SEQ_ONE;

	if (!word_swap_ctl(&o->word, &ctl, new))
		return false;
	gone(o, why);
	return true;
}

/* Who has looked before ofd_paused was raised must not take any more: his swap fails. */
static bool renew(struct look *l)
{
	uint64_t old = l->w.ctl;

	l->w.ctl += W_SEQ_ONE;
	return word_swap_ctl(&l->ofd->word, &old, l->w.ctl);
}

/*
 * By one, and with all signals blocked: "real lseek, then swap" by two threads lets the second lseek
 * undo what a read did in between, and so would a signal handler's.
 */
static bool hand_over(struct look *l, enum reason why, bool for_good)
{
	struct ofd *o = l->ofd;
	sigmask_t mask = signals_block();
	struct word mark = word_next(l->w, HANDING, l->w.off, my_tid());
	struct word old, new;
	long r;

	if (!word_swap(&o->word, l->w, mark)) {
		signals_restore(mask);
		return false;
	}
	/* A closer of this number waits for us from here on; was one faster, it may be another file. */
	if (!look_holds(l)) {
		word_swap(&o->word, mark, word_next(mark, OURS, l->w.off, 0));
		signals_restore(mask);
		return false;
	}
	HOOK("handback", l->fd);
	r = RAW3(SYS_lseek, l->fd, l->w.off, SEEK_SET);
	if (r != l->w.off) {
		why = R_failed;
		for_good = true;
	}
	do { /* only W_WAITERS can have changed */
		old = word_load(&o->word);
		new = word_next(old, for_good ? GONE : KERNEL, old.off, 0);
		new.ctl |= for_good ? 0 : W_KNOWN;
	} while (!word_swap(&o->word, old, new));
	ofd_wake(o, old);
	signals_restore(mask);
	count(C_back + why);
	if (for_good)
		gone(o, why);
	return true;
}

bool ofd_hand_back(struct look *l, enum reason why, bool for_good)
{
	struct ofd *o = l->ofd;

	switch (word_state(l->w)) {
	case WRITING:
	case HANDING:
		if (!word_is_mine(l->w)) {
			ofd_wait(o, l->w);
			return false;
		}
		flight_interrupted(l);
		return false;
	case OURS:
		if (!for_good && ++o->backs > 16 && o->saved / 4 < o->backs) {
			for_good = true;
			why = R_costs;
		}
		return hand_over(l, why, for_good);
	case KERNEL:
		return for_good ? let_go_of_kernels(o, l->w, why) : renew(l);
	case AUDITED:
		if (!audit_hand_back(l, for_good))
			return false;
		count(C_back + why);
		if (for_good)
			gone(o, why);
		return true;
	default:
		return true;
	}
}

void ofd_set_append(struct ofd *o, bool append)
{
	uint64_t ctl = __atomic_load_n(&o->word.ctl, __ATOMIC_RELAXED);

	while (!word_swap_ctl(&o->word, &ctl,
			      ((ctl & ~W_APPEND) | (append ? W_APPEND : 0)) + W_SEQ_ONE))
		;
}
