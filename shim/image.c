/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: the file, mapped; its room is reserved before, so that no write to it can fail. */
#include "image.h"
#include "config.h"
#include "hot.h"
#include "names.h"
#include "root.h"
#include "text.h"
#include <fcntl.h>
#include <seekless.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* Of libc; declared by no header. */
extern int __cxa_atexit(void (*handler)(void *), void *arg, void *library);

enum { NAMES_AT = 1024, BLOCKS_AT = 12288 };
_Static_assert(sizeof(struct seekless_image) <= NAMES_AT, "");
_Static_assert(NAMES_AT + sizeof(names) <= BLOCKS_AT, "");

static struct seekless_image *image; /* where the file is mapped; NULL: there is none */
static long owner;
static struct text path; /* of the file that owner made: put together once, for threads may end at the same time */

static void name_file(void)
{
	text_begin(&path, -1);
	text_str(&path, config.stats);
	text_str(&path, "/seekless.");
	text_num(&path, (uint64_t)RAW0(SYS_getpid), 0);
	path.buf[path.n < sizeof(path.buf) ? path.n : 0] = 0;
}

/* One of a dead process of that number, or of the program before an exec, is in the way. */
static long make_file(void)
{
	const int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY;
	struct rlimit lim = {0, 0};
	long fd;

	if (RAW4(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, &lim) || lim.rlim_cur < SEEKLESS_IMAGE)
		return -EFBIG;
	name_file();
	fd = RAW4(SYS_openat, AT_FDCWD, path.buf, flags, 0644);
	if (fd == -EEXIST && !RAW3(SYS_unlinkat, AT_FDCWD, path.buf, 0))
		fd = RAW4(SYS_openat, AT_FDCWD, path.buf, flags, 0644);
	return fd;
}

/* At `at`, or anywhere. */
static bool map_file(void *at)
{
	long fd = make_file(), where;

	if (fd < 0)
		return false;
	where = RAW4(SYS_fallocate, fd, 0, 0, SEEKLESS_IMAGE);
	if (!where)
		where = RAW6(SYS_mmap, at, SEEKLESS_IMAGE, PROT_READ | PROT_WRITE,
			     MAP_SHARED | (at ? MAP_FIXED : 0), fd, 0);
	RAW1(SYS_close, fd);
	if ((unsigned long)where > -4096UL || !where) {
		RAW3(SYS_unlinkat, AT_FDCWD, path.buf, 0);
		return false;
	}
	image = (struct seekless_image *)where;
	owner = RAW0(SYS_getpid);
	return true;
}

void image_end(void)
{
	/* A filter of system calls may kill for it; a vfork child is not the process. */
	if (!image || !hot.size || tls.vfork_depth || owner != RAW0(SYS_getpid))
		return;
	RAW3(SYS_unlinkat, AT_FDCWD, path.buf, 0);
}
static void unlink_at_exit(void *unused)
{
	(void)unused;
	image_end();
}

struct block *image_start(uint32_t *n)
{
	*n = 0;
	/* Under a filter of system calls one of these might be the end of the program. */
	if (!config.stats[0] || config.filtered || !map_file(NULL))
		return NULL;
	__cxa_atexit(unlink_at_exit, NULL, NULL);
	*n = (SEEKLESS_IMAGE - BLOCKS_AT) / sizeof(struct block);
	return (struct block *)((char *)image + BLOCKS_AT);
}

void image_fill(void)
{
	const char *name = (const char *)getauxval(AT_EXECFN);

	if (!image)
		return;
	memcpy((char *)image + NAMES_AT, &names, sizeof(names));
	image->base = (uint64_t)image;
	image->blocks = BLOCKS_AT;
	image->blocks_n = (SEEKLESS_IMAGE - BLOCKS_AT) / sizeof(struct block);
	image->block_size = sizeof(struct block);
	image->pid = (int32_t)RAW0(SYS_getpid);
	image->one = 1;
	if (name && strrchr(name, '/'))
		name = strrchr(name, '/') + 1;
	for (size_t i = 0; name && name[i] && i < sizeof(image->program) - 1; i++)
		image->program[i] = name[i];
	image->root = seekless_root;
	image->root.names = image->base + NAMES_AT;
	image->root.slots_high = (uint64_t)&image->zero;
	image->root.off = (uint64_t)&image->zero;
	image->root.follows = (uint64_t)&image->one;
	image->root.disagreements_n = image->root.files_n = 0;
}

/* One of its own; else, at the same place, memory that nobody else sees. */
void image_reset_in_child(void)
{
	sigmask_t mask;
	void *at = image;
	long where;

	if (!image)
		return;
	if (!hot.size) { /* a filter of the program's own may kill for what follows */
		count_off();
		return;
	}
	mask = signals_block();
	if (!map_file(at)) {
		where = RAW6(SYS_mmap, at, SEEKLESS_IMAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		owner = 0;
		if ((unsigned long)where > -4096UL)
			count_off();
	}
	signals_restore(mask);
}
