/* SPDX-License-Identifier: MIT */
/* The search for an order, on histories of which one can see whether there is one. */
#include "model.h"
#include <criterion/criterion.h>

static struct model start_of(void)
{
	struct model m;

	model_start(&m, 10);
	model_open(&m, 0);
	return m;
}

static bool explains(const struct m_call *call, int n)
{
	static struct m_search s;
	struct model m = start_of();

	return model_explains(&s, &m, call, n, NULL);
}

static struct m_call reading(int thread, uint64_t begin, uint64_t end, int first)
{
	return (struct m_call){.op = M_READ,
			       .thread = thread,
			       .count = 2,
			       .begin = begin,
			       .end = end,
			       .result = 2,
			       .seen = {(uint16_t)(1000 + first), (uint16_t)(1001 + first)}};
}

static struct m_call telling(int thread, uint64_t begin, uint64_t end, int is)
{
	return (struct m_call){.op = M_LSEEK,
			       .thread = thread,
			       .whence = SEEK_CUR,
			       .begin = begin,
			       .end = end,
			       .result = is};
}

Test(model, two_reads_at_once_in_either_order)
{
	struct m_call calls[] = {reading(0, 1, 4, 2), reading(1, 2, 3, 0)};

	cr_assert(explains(calls, 2));
}

Test(model, the_same_record_twice_has_no_order)
{
	struct m_call calls[] = {reading(0, 1, 4, 0), reading(1, 2, 3, 0)};

	cr_assert_not(explains(calls, 2));
}

Test(model, one_that_had_ended_comes_first)
{
	struct m_call calls[] = {reading(0, 1, 2, 2), reading(1, 3, 4, 0)};

	cr_assert_not(explains(calls, 2));
}

Test(model, a_tell_that_is_too_old)
{
	struct m_call calls[] = {reading(0, 1, 2, 0), telling(1, 3, 4, 0)};

	cr_assert_not(explains(calls, 2));
	calls[1].result = 2;
	cr_assert(explains(calls, 2));
}

Test(model, a_call_that_never_returned_was_done_or_not)
{
	struct m_call calls[] = {reading(0, 1, UINT64_MAX, 0), telling(1, 3, 4, 2)};

	cr_assert(explains(calls, 2));
	calls[1].result = 0;
	cr_assert(explains(calls, 2));
	calls[1].result = 1;
	cr_assert_not(explains(calls, 2));
}

Test(model, a_write_is_seen_whole_or_not_at_all)
{
	struct m_call calls[] = {
		{.op = M_WRITE, .count = 2, .value = 7, .begin = 1, .end = 4, .result = 2},
		{.op = M_PREAD,
		 .thread = 1,
		 .count = 2,
		 .begin = 2,
		 .end = 3,
		 .result = 2,
		 .seen = {7, 7}}};

	cr_assert(explains(calls, 2));
	calls[1].seen[1] = 1001;
	cr_assert_not(explains(calls, 2));
}

Test(model, the_end_must_fit_too)
{
	static struct m_search s;
	struct m_call call = reading(0, 1, 2, 0);
	struct model m = start_of(), end = m;

	end.ofd[0].at = 2;
	cr_assert(model_explains(&s, &m, &call, 1, &end));
	end.ofd[0].at = 4;
	cr_assert_not(model_explains(&s, &m, &call, 1, &end));
}
