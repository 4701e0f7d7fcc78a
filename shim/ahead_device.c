/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: how far ahead the kernel itself reads on a device, from sysfs, once for each. */
#include "ahead.h"
#include <fcntl.h>
#include <string.h>
#include <sys/sysmacros.h>

enum { DEVICES = 16, LONGEST = 96 };

static char *put(char *to, const char *words)
{
	size_t n = strlen(words);

	memcpy(to, words, n);
	return to + n;
}
static char *put_num(char *to, unsigned n)
{
	char digits[12], *d = digits + sizeof(digits);

	*--d = 0;
	do
		*--d = (char)('0' + n % 10);
	while (n /= 10);
	return put(to, d);
}

/* The number in a file of sysfs, or -1. */
static int32_t number_in(const char *path)
{
	long n, fd = RAW4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	int32_t value = 0;
	char buf[16];

	if (fd < 0)
		return -1;
	n = RAW3(SYS_read, fd, buf, sizeof(buf));
	RAW1(SYS_close, fd);
	if (n <= 0 || *buf < '0' || *buf > '9')
		return -1;
	for (long i = 0; i < n && buf[i] >= '0' && buf[i] <= '9' && value < 1 << 24; i++)
		value = value * 10 + (buf[i] - '0');
	return value;
}

/* By the name of what is mounted, as a disk, and as a part of a disk. */
static int32_t ask(uint64_t dev)
{
	static const char *const places[][2] = {
		{"/sys/class/bdi/", "/read_ahead_kb"},
		{"/sys/dev/block/", "/queue/read_ahead_kb"},
		{"/sys/dev/block/", "/../queue/read_ahead_kb"},
	};
	int32_t kb = -1;

	for (size_t i = 0; i < sizeof(places) / sizeof(*places) && kb < 0; i++) {
		char path[LONGEST], *to = put(path, places[i][0]);

		to = put_num(to, major(dev));
		to = put(to, ":");
		to = put_num(to, minor(dev));
		*put(to, places[i][1]) = 0;
		kb = number_in(path);
	}
	return kb;
}

/*
 * It takes a descriptor for an instant, and another thread's open would get the next number for it: so
 * only a program that has no other thread is asked for.
 */
int32_t ahead_window(uint64_t dev)
{
	static uint64_t seen[DEVICES]; /* device + 1, and the window + 1 in the lower half */
	static uint32_t n;
	sigmask_t mask;
	int32_t kb;

	for (unsigned i = 0; i < DEVICES; i++) {
		uint64_t entry = __atomic_load_n(&seen[i], __ATOMIC_RELAXED);

		if (entry >> 32 == (uint32_t)dev + 1UL)
			return (int32_t)(uint32_t)entry - 1;
	}
	if (!hot_is_alone() || dev >> 32)
		return -1;
	mask = signals_block(); /* a handler's open would get the next number, too */
	kb = ask(dev);
	signals_restore(mask);
	__atomic_store_n(&seen[__atomic_fetch_add(&n, 1, __ATOMIC_RELAXED) % DEVICES],
			 ((uint32_t)dev + 1UL) << 32 | (uint32_t)(kb + 1), __ATOMIC_RELAXED);
	return kb;
}
