/* SPDX-License-Identifier: MIT */
/* The word: its fields do not spill into each other, and a swap is all or nothing. */
#include <criterion/criterion.h>
#include <pthread.h>
#include "../../shim/word.h"

__thread struct tls tls;
int ground_ask_tid(void)
{
	return tls.tid = 1;
}

Test(word, keeps_its_fields_apart)
{
	struct word w = {0, 0};

	for (int state = FREE; state <= GONE; state++) {
		for (int who = 0; who < 1 << 22; who += 4194303 / 3) {
			struct word n = word_next(w, (enum state)state, -5, who);

			cr_assert_eq(word_state(n), (enum state)state);
			cr_assert_eq(word_who(n), who);
			cr_assert_eq(n.off, -5);
			cr_assert_eq(n.ctl / W_SEQ_ONE, w.ctl / W_SEQ_ONE + 1);
		}
	}
}

Test(word, a_successor_keeps_what_is_known_of_the_file_only)
{
	struct word w = {7, ~0UL};
	struct word n = word_next(w, OURS, 9, 0);

	cr_assert_eq(n.ctl & (W_APPEND | W_ADMITTED), W_APPEND | W_ADMITTED);
	cr_assert_eq(n.ctl & (W_KNOWN | W_WAITERS | W_SEEKED), 0UL);
	cr_assert_eq(n.ctl / W_SEQ_ONE, 0UL, "seq wraps, the low half does not feel it");
	cr_assert_eq(word_who(word_moved(w, 1)), word_who(w));
}

Test(word, counting_calls_and_leaving_gives_a_new_word)
{
	struct word w = word_next((struct word){0, 0}, KERNEL, 0, 0);
	uint64_t ctl = w.ctl;

	ctl += W_WHO_ONE;
	ctl += W_SEQ_ONE - W_WHO_ONE;
	cr_assert_neq(ctl, w.ctl, "a call came and went: a swap against the old word must fail");
	cr_assert_eq((int)(ctl & W_WHO), 0);
}

Test(word, a_swap_needs_both_halves)
{
	struct word w = {1, 2};

	cr_assert_not(word_swap(&w, (struct word){1, 3}, (struct word){5, 5}));
	cr_assert_not(word_swap(&w, (struct word){0, 2}, (struct word){5, 5}));
	cr_assert_eq(w.off, 1);
	cr_assert_eq(w.ctl, 2UL);
	cr_assert(word_swap(&w, (struct word){1, 2}, (struct word){3, 4}));
	cr_assert_eq(w.off, 3);
	cr_assert_eq(w.ctl, 4UL);
}

static struct word shared;
static void *adds(void *unused)
{
	for (int i = 0; i < 200000; i++) {
		struct word old;

		do {
			old = word_load(&shared);
		} while (!word_swap(&shared, old, (struct word){old.off + 1, old.ctl + W_SEQ_ONE}));
	}
	return unused;
}

Test(word, swaps_of_two_threads_lose_nothing)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		cr_assert_eq(pthread_create(&t[i], NULL, adds, NULL), 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	cr_assert_eq(shared.off, 400000);
	cr_assert_eq(shared.ctl, 400000UL * W_SEQ_ONE);
}
