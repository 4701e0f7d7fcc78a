/* SPDX-License-Identifier: MIT */
/* Floor 3, policy: the list of file systems, and a memory of devices. */
#include "admit.h"
#include "word.h"
#include <sys/statfs.h>

/* test/real/fs-* tests each of them. */
static const uint32_t exact[] = {
#define FILE_SYSTEM(magic, names) magic,
#include "filesystems.def"
#undef FILE_SYSTEM
};

static bool is_exact(uint32_t magic)
{
	for (size_t i = 0; i < sizeof(exact) / sizeof(*exact); i++)
		if (exact[i] == magic)
			return true;
	return false;
}

/*
 * Verdicts by st_dev, so that a take costs one fstat.  An entry is the device times two plus the
 * verdict; devices that collide are asked anew.  The number of an unmounted anonymous file system
 * (major 0) can come back for one of another kind, so their verdicts are kept for a while only.
 */
enum { DEVICES = 64, KEPT = 256 };
static struct {
	uint64_t entry;
	uint32_t uses;
} seen[DEVICES];

static uint64_t judge_device(int fd, uint64_t dev, bool ask)
{
	struct statfs fs;
	unsigned i = (unsigned)((dev ^ (dev >> 8) * 31) % DEVICES);
	uint64_t entry = __atomic_load_n(&seen[i].entry, __ATOMIC_RELAXED);
	bool anonymous = !(dev & 0xfff00);
	bool ok;

	if (entry >> 1 == dev + 1 && (!anonymous || ++seen[i].uses % KEPT))
		return entry & 1 ? W_REGULAR : 0;
	if (!ask || RAW2(SYS_fstatfs, fd, &fs))
		return 0;
	ok = is_exact((uint32_t)fs.f_type);
	__atomic_store_n(&seen[i].entry, (dev + 1) << 1 | ok, __ATOMIC_RELAXED);
	return ok ? W_REGULAR : 0;
}

uint64_t admit_judge(int fd, const struct stat *st, bool ask)
{
	if (S_ISREG(st->st_mode))
		return judge_device(fd, st->st_dev, ask);
	return S_ISBLK(st->st_mode) ? W_BLOCK : 0;
}
