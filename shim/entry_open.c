/* SPDX-License-Identifier: MIT */
/* Floor 5, entry points: births of descriptors, and what fstat teaches about them. */
#include "real.h"
#include "seek.h"

HOT int born(int fd, int flags, struct gate_seen seen)
{
	return fdtab_born(fd, flags, seen);
}

/*
 * Not worth a place in the table: these would be refused at their first seek, and until then each
 * read would be counted in their word.  Only a hint; a link to one of them is refused in due
 * course.
 */
static bool begins(const char *path, const char *with)
{
	while (*with && *path == *with)
		path++, with++;
	return !*with;
}
COLD static bool is_listed(const char *path)
{
	static const char devices[][8] = {"null",    "zero", "full", "random",
					  "urandom", "tty",  "pts/"};

	if (!begins(path, "/dev/"))
		return begins(path, "/proc/") || begins(path, "/sys/");
	for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++)
		if (begins(path + 5, devices[i]))
			return true;
	return false;
}
HOT bool never_seeks(const char *path)
{
	if (likely(path[0] != '/'))
		return false;
	switch (path[1]) {
	case 'd': /* not /dev/shm */
		return path[2] == 'e' && path[3] == 'v' && path[4] == '/' && path[5] != 's' &&
		       is_listed(path);
	case 'p':
		return path[2] == 'r' && is_listed(path);
	case 's':
		return path[2] == 'y' && is_listed(path);
	default:
		return false;
	}
}
HOT int born_at(const char *path, int fd, int flags, struct gate_seen seen)
{
	return born(fd, unlikely(fd >= 0 && never_seeks(path)) ? flags | O_PATH : flags, seen);
}

/*
 * Declared without dots, so that there is no list of arguments to set up; hence by other names than the
 * headers'.  As libc does, a mode that is not needed is 0: filters of system calls may look at it.
 */
static OFTEN USED int open_any(const char *path, int flags, mode_t mode)
{
	struct gate_seen seen = gate_seen();

	mode = __OPEN_NEEDS_MODE(flags) ? mode : 0;
	return born_at(path,
		       (int)to_libc(BARE(RAW4(SYS_openat, (unsigned)AT_FDCWD, path, flags, mode),
					 real_open(path, flags, mode))),
		       flags, seen);
}
ALIAS_OF(open, open_any);
ALIAS_OF(open64, open_any);
ALIAS_OF(__open, open_any);
ALIAS_OF(__open64, open_any);

static OFTEN USED int openat_any(int dir, const char *path, int flags, mode_t mode)
{
	struct gate_seen seen = gate_seen();

	mode = __OPEN_NEEDS_MODE(flags) ? mode : 0;
	return born_at(path,
		       (int)to_libc(BARE(RAW4(SYS_openat, (unsigned)dir, path, flags, mode),
					 real_openat(dir, path, flags, mode))),
		       flags, seen);
}
ALIAS_OF(openat, openat_any);
ALIAS_OF(openat64, openat_any);

EXPORT int __open_2(const char *path, int flags)
{
	struct gate_seen seen = gate_seen();

	return born_at(path, real___open_2(path, flags), flags, seen);
}
EXPORT int __open64_2(const char *path, int flags)
{
	struct gate_seen seen = gate_seen();

	return born_at(path, real___open64_2(path, flags), flags, seen);
}
EXPORT int __openat_2(int dir, const char *path, int flags)
{
	struct gate_seen seen = gate_seen();

	return born_at(path, real___openat_2(dir, path, flags), flags, seen);
}
EXPORT int __openat64_2(int dir, const char *path, int flags)
{
	struct gate_seen seen = gate_seen();

	return born_at(path, real___openat64_2(dir, path, flags), flags, seen);
}

EXPORT int creat(const char *path, mode_t mode)
{
	struct gate_seen seen = gate_seen();

	return born(real_creat(path, mode), 0, seen);
}
ALIAS_OF(creat64, creat);

EXPORT int open_by_handle_at(int dir, struct file_handle *handle, int flags)
{
	struct gate_seen seen = gate_seen();

	return born(real_open_by_handle_at(dir, handle, flags), flags, seen);
}

EXPORT int mkstemp(char *path)
{
	struct gate_seen seen = gate_seen();

	return born(real_mkstemp(path), 0, seen);
}
ALIAS_OF(mkstemp64, mkstemp);

EXPORT int mkostemp(char *path, int flags)
{
	struct gate_seen seen = gate_seen();

	return born(real_mkostemp(path, flags), flags, seen);
}
ALIAS_OF(mkostemp64, mkostemp);

EXPORT int mkstemps(char *path, int tail)
{
	struct gate_seen seen = gate_seen();

	return born(real_mkstemps(path, tail), 0, seen);
}
ALIAS_OF(mkstemps64, mkstemps);

EXPORT int mkostemps(char *path, int tail, int flags)
{
	struct gate_seen seen = gate_seen();

	return born(real_mkostemps(path, tail, flags), flags, seen);
}
ALIAS_OF(mkostemps64, mkostemps);

EXPORT int memfd_create(const char *name, unsigned flags)
{
	struct gate_seen seen = gate_seen();

	return born(real_memfd_create(name, flags), flags & MFD_CLOEXEC ? O_CLOEXEC : 0, seen);
}

EXPORT int shm_open(const char *name, int flags, mode_t mode)
{
	struct gate_seen seen = gate_seen();

	return born(real_shm_open(name, flags, mode), flags | O_CLOEXEC, seen);
}

/* ---- the program's own fstat saves ours ---- */

static int learnt(int r, const struct look *l, const struct stat *st)
{
	if (!r && l->ofd)
		seek_learn(l, st);
	return r;
}
static void look_or_not(int fd, struct look *l)
{
	if (!fd_is_tracked(fd) || look(fd, l))
		l->ofd = NULL;
}

EXPORT int fstat(int fd, struct stat *st)
{
	struct look l;

	look_or_not(fd, &l);
	return learnt(real_fstat(fd, st), &l, st);
}
ALIAS_OF(fstat64, fstat);

EXPORT int __fxstat(int version, int fd, struct stat *st)
{
	struct look l;

	look_or_not(fd, &l);
	return learnt(real___fxstat(version, fd, st), &l, st);
}
ALIAS_OF(__fxstat64, __fxstat);

/* Only an empty path means the descriptor itself; the path is known to be readable afterwards. */
static bool is_itself(int r, const char *path, int flags)
{
	return !r && flags & AT_EMPTY_PATH && !*path;
}

EXPORT int fstatat(int fd, const char *path, struct stat *st, int flags)
{
	struct look l;
	int r;

	look_or_not(fd, &l);
	r = real_fstatat(fd, path, st, flags);
	return is_itself(r, path, flags) ? learnt(r, &l, st) : r;
}
ALIAS_OF(fstatat64, fstatat);

EXPORT int __fxstatat(int version, int fd, const char *path, struct stat *st, int flags)
{
	struct look l;
	int r;

	look_or_not(fd, &l);
	r = real___fxstatat(version, fd, path, st, flags);
	return is_itself(r, path, flags) ? learnt(r, &l, st) : r;
}
ALIAS_OF(__fxstatat64, __fxstatat);

EXPORT int statx(int fd, const char *path, int flags, unsigned mask, struct statx *stx)
{
	enum { ALL = STATX_TYPE | STATX_SIZE };
	struct stat st = {0};
	struct look l;
	int r;

	look_or_not(fd, &l);
	r = real_statx(fd, path, flags, mask, stx);
	if (!is_itself(r, path, flags) || (stx->stx_mask & ALL) != ALL)
		return r;
	st.st_mode = stx->stx_mode;
	st.st_size = (off_t)stx->stx_size;
	st.st_dev = (dev_t)stx->stx_dev_major << 8 | stx->stx_dev_minor; /* see admit_judge */
	if (stx->stx_dev_major > 0xfff || stx->stx_dev_minor > 0xff)
		return r;
	return learnt(r, &l, &st);
}
