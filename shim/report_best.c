/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: what a report says of files, the best first. */
#include "report.h"
#include <limits.h>
#include <string.h>
#include <sys/auxv.h>

const char *report_program(void)
{
	const char *name = (const char *)getauxval(AT_EXECFN),
		   *slash = name ? strrchr(name, '/') : NULL;

	return slash ? slash + 1 : name ? name : "?";
}

/* Numbers that are one description gain together: the smallest stands for them. */
static bool is_first(int fd, const struct ofd *o)
{
	if (hot_get(&o->refs) < 2)
		return true;
	for (int lower = 0; lower < fd; lower++)
		if (slot_ofd(fd_slot(lower)) == o)
			return false;
	return true;
}

static uint32_t saved_by(int fd)
{
	uintptr_t slot = fd_slot(fd);

	return slot_is_tracked(slot) && slot_ofd(slot)->saved && is_first(fd, slot_ofd(slot))
		       ? slot_ofd(slot)->saved
		       : 0;
}

int report_next_fd(uint64_t *below, uint32_t *saved)
{
	uint64_t best = 0;

	for (uint32_t fd = 0; fd < hot.high; fd++) {
		uint64_t rank = (uint64_t)saved_by((int)fd) << 32 | (UINT32_MAX - fd);

		if (rank < *below && rank > best && rank >> 32)
			best = rank;
	}
	*below = best;
	*saved = (uint32_t)(best >> 32);
	return best ? (int)(UINT32_MAX - (uint32_t)best) : -1;
}

/* No file of a process loses 2^56 lseeks: what is behind is the place in the table. */
const struct audit_file *report_next_file(uint64_t *below)
{
	uint64_t best = 0;

	for (uint32_t i = 0; i < AUDIT_FILES; i++) {
		const struct audit_file *f = &audit_files[i];
		uint64_t saved;

		if (__atomic_load_n(&f->state, __ATOMIC_ACQUIRE) != FILE_READY)
			continue;
		saved = __atomic_load_n(&f->saved, __ATOMIC_RELAXED) << 8 | (AUDIT_FILES - 1 - i);
		if (saved < *below && saved > best && saved >> 8)
			best = saved;
	}
	*below = best;
	return best ? &audit_files[AUDIT_FILES - 1 - best % AUDIT_FILES] : NULL;
}
_Static_assert(AUDIT_FILES == 1 << 8, "see report_next_file");

const char *report_path(int fd)
{
	static char path[PATH_MAX];

	audit_read_path(fd, path, sizeof(path));
	return path;
}
