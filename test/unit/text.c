/* SPDX-License-Identifier: MIT */
/* Text without stdio: numbers against snprintf, and nothing lost where it does not fit. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "../../shim/text.c"

Test(text, numbers_are_printed_as_by_printf)
{
	static const uint64_t numbers[] = {0, 1, 9, 10, 4095, 1UL << 32, UINT64_MAX};
	static const int widths[] = {0, 1, 12, 30};

	for (size_t i = 0; i < 7; i++) {
		for (size_t w = 0; w < 4; w++) {
			struct text t;
			char want[64];

			text_begin(&t, -1);
			text_num(&t, numbers[i], widths[w]);
			snprintf(want, sizeof(want), "%*lu", widths[w], numbers[i]);
			cr_assert_eq(t.n, strlen(want));
			cr_assert_eq(memcmp(t.buf, want, t.n), 0);
		}
	}
}

Test(text, what_does_not_fit_goes_out_first)
{
	static char got[60000];
	struct text t;
	size_t n = 0;
	int p[2];

	cr_assert_eq(pipe(p), 0);
	text_begin(&t, p[1]);
	for (int i = 0; i < 4000; i++)
		text_str(&t, "0123456789");
	text_flush(&t, p[1]);
	close(p[1]);
	for (ssize_t r; (r = read(p[0], got + n, sizeof(got) - n)) > 0;)
		n += (size_t)r;
	cr_assert_eq(n, 40000UL);
	for (size_t i = 0; i < n; i++)
		cr_assert_eq(got[i], '0' + (int)(i % 10));
}

Test(text, a_collector_cuts)
{
	struct text t;

	text_begin(&t, -1);
	for (int i = 0; i < 4000; i++)
		text_str(&t, "0123456789");
	cr_assert_eq(t.n, sizeof(t.buf));
}
