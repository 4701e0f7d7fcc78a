/* SPDX-License-Identifier: MIT */
/*
 * Where a seek lands, against the kernel: each row is also asked of lseek on a file of that size.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "../../shim/where.h"

static const struct row {
	int64_t at, size, off;
	int whence;
} rows[] = {
	{0, 0, 0, SEEK_SET}, {0, 0, 1, SEEK_SET}, {5, 10, 0, SEEK_SET}, {5, 10, 10, SEEK_SET},
	{5, 10, 11, SEEK_SET}, {5, 10, -1, SEEK_SET}, {5, 10, INT64_MIN, SEEK_SET},
	{5, 10, 0x7fffffff, SEEK_SET}, {5, 10, 0x80000000L, SEEK_SET}, {5, 10, 1L << 40, SEEK_SET},
	{0, 0, 0, SEEK_CUR}, {5, 10, 0, SEEK_CUR}, {5, 10, 1, SEEK_CUR}, {5, 10, 5, SEEK_CUR},
	{5, 10, 6, SEEK_CUR}, {5, 10, -5, SEEK_CUR}, {5, 10, -6, SEEK_CUR}, {5, 10, INT64_MIN, SEEK_CUR},
	{5, 10, INT64_MAX, SEEK_CUR}, {0, 10, INT64_MIN, SEEK_CUR}, {1L << 40, 10, -(1L << 40), SEEK_CUR},
	{1L << 40, 10, INT64_MAX - 5, SEEK_CUR}, {0x7fffffff, 10, 1, SEEK_CUR}, {100, 10, -90, SEEK_CUR},
	{0, 0, 0, SEEK_END}, {5, 10, 0, SEEK_END}, {5, 10, 1, SEEK_END}, {5, 10, -1, SEEK_END},
	{5, 10, -10, SEEK_END}, {5, 10, -11, SEEK_END}, {5, 10, INT64_MIN, SEEK_END},
	{5, 10, INT64_MAX, SEEK_END}, {5, 1L << 33, 0, SEEK_END}, {5, 1L << 33, -1, SEEK_END},
	{5, 1L << 33, 4096, SEEK_END}, {5, 1L << 33, -(1L << 33), SEEK_END},
	{5, 1L << 33, -(1L << 33) - 1, SEEK_END}, {1L << 34, 1L << 33, -1, SEEK_CUR},
	{5, 10, 0x7ffffff6L, SEEK_END}, {5, 10, -5, SEEK_END}, {9, 10, 3, SEEK_CUR},
};

/* On tmpfs, whose largest offset is the type's, so that only the arithmetic decides. */
static long kernels(const struct row *r)
{
	char name[] = "/dev/shm/where.XXXXXX";
	int fd = mkstemp(name);
	long got;

	cr_assert(fd >= 0);
	unlink(name);
	cr_assert_eq(ftruncate(fd, r->size), 0);
	cr_assert_eq(lseek(fd, r->at, SEEK_SET), r->at);
	got = lseek(fd, r->off, r->whence);
	if (got < 0)
		cr_assert_eq(errno, EINVAL);
	close(fd);
	return got;
}

Test(where, lands_as_the_kernel_says)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *r = &rows[i];
		int64_t target = 0;
		long kernel = kernels(r);

		cr_assert(where_lands(r->at, r->size, r->off, r->whence, &target));
		if (kernel >= 0)
			cr_assert_eq(target, kernel, "row %zu: %ld, the kernel says %ld", i, (long)target, kernel);
		else
			cr_assert_lt(target, 0, "row %zu: %ld, the kernel refuses", i, (long)target);
	}
}

Test(where, leaves_the_rest_to_the_kernel)
{
	static const int others[] = {SEEK_DATA, SEEK_HOLE, 5, -1, INT_MAX, INT_MIN};
	int64_t target = 42;

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		cr_assert_not(where_lands(1, 2, 3, others[i], &target));
	cr_assert_eq(target, 42);
}
