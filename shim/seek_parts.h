/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: what lseek and its audit share (seek.c, seek_audit.c).  Not inline: that is for the compiler. */
#ifndef SEEK_PARTS_H
#define SEEK_PARTS_H

#include "admit.h"
#include "audit.h"
#include "config.h"
#include "flight.h"
#include "real.h"
#include "where.h"

static long answered(struct look *l, int whence, long target)
{
	count(whence == SEEK_SET ? C_seek_set : whence == SEEK_CUR ? C_seek_cur : C_seek_end);
	l->ofd->saved++;
	return target;
}

static long lost(void)
{
	count(C_retry);
	return LOOK_AGAIN;
}

/* fstat costs more than the kernel's lseek unless the lock of f_pos can be contended. */
static bool probes_by_fstat(const struct look *l)
{
	if (!(l->w.ctl & W_REGULAR))
		return false;
	if (config.size != SIZE_AUTO)
		return config.size == SIZE_FSTAT;
	return __atomic_load_n(&l->ofd->refs, __ATOMIC_RELAXED) > 1 || count_threads() > 1;
}

/* What the word says, or one fstat: for a description that is seeked for the second time. */
static uint64_t admit_ask(const struct look *l, bool *refused)
{
	struct stat st;
	uint64_t admitted = l->w.ctl & W_ADMITTED;

	if (admitted || RAW2(SYS_fstat, l->fd, &st))
		return admitted;
	admitted = admit_judge(l->fd, &st, true);
	if (!look_holds(l))
		return 0;
	*refused = !admitted;
	return admitted;
}

/* In an audit the kernel makes the lseek: where it holds the offset, as long as we would have; and before. */
COLD long seek_audited(struct look *l, int64_t off, int whence);
COLD long seek_take_audited(struct look *l, int64_t off, int whence);

#endif
