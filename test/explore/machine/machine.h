/* SPDX-License-Identifier: MIT */
/*
 * machine.h - the machine that the library runs on in the explorer; shim/ground.h includes it there.
 *
 * Every step that another thread, or a handler, can see is announced before it is done: loads, stores
 * and swaps of what threads share, and system calls.  The announcement is where the explorer decides
 * who goes on.  A STEP(NULL) is a place where only a signal may come.
 */
#ifndef EXPLORE_MACHINE_H
#define EXPLORE_MACHINE_H

#include <stddef.h>

struct flight;
struct place {
	const char *file, *function;
	int line;
};
#define HERE                                                                                       \
	({                                                                                         \
		static const struct place place_ = {__FILE__, __func__, __LINE__};                 \
		&place_;                                                                           \
	})

void machine_load(const struct place *place, const volatile void *at, size_t size);
void machine_store(const struct place *place, const volatile void *at, size_t size);
void machine_swap(const struct place *place, const volatile void *word);
void machine_peek(const struct place *place, const void *flight);
long machine_call(const struct place *place, long nr, long a, long b, long c, long d, long e,
		  long f);
long machine_fly(const struct place *place, struct flight *f, long nr, long a, long b, long c,
		 long d, long e, long g);

#define STEP(address) machine_swap(HERE, address)
#define STEP_PEEK(address) machine_peek(HERE, address)
#define SPINS 0 /* what a spin would see, the swap after it sees, too */
#define cpu_relax() ((void)0)
#define raw(...) machine_call(HERE, __VA_ARGS__)
#define fly(...) machine_fly(HERE, __VA_ARGS__)

#define LOADS(p) machine_load(HERE, p, sizeof(*(p)))
#define STORES(p) machine_store(HERE, p, sizeof(*(p)))
#define __atomic_load_n(p, order) (LOADS(p), __atomic_load_n(p, order))
#define __atomic_store_n(p, v, order) (STORES(p), __atomic_store_n(p, v, order))
#define __atomic_fetch_add(p, v, order) (STORES(p), __atomic_fetch_add(p, v, order))
#define __atomic_fetch_sub(p, v, order) (STORES(p), __atomic_fetch_sub(p, v, order))
#define __atomic_add_fetch(p, v, order) (STORES(p), __atomic_add_fetch(p, v, order))
#define __atomic_sub_fetch(p, v, order) (STORES(p), __atomic_sub_fetch(p, v, order))
#define __atomic_compare_exchange_n(p, old, new, weak, order, order_if_not)                        \
	(STORES(p), __atomic_compare_exchange_n(p, old, new, weak, order, order_if_not))
#define __atomic_signal_fence(order) (STEP(NULL), __atomic_signal_fence(order))

#endif
