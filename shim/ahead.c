/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: reads as they come, and at which offsets they were. */
#include "ahead.h"
#include "config.h"
#include "transfer.h"
#include "usual.h"
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { FILES = 128, STUCK = 1000, WATCH = 64 };

/* By description, two places for each. */
static struct ahead_file files[FILES];
static uint32_t now; /* a hint: reads that were looked at */

/*
 * Readahead(2) and what else is asked here is not tried in sandbox.c: it is made only where there was no
 * filter of system calls at start, and not after one has been set (fdtab_retire).
 */
void ahead_start(void)
{
	int tsc = PR_TSC_ENABLE;

	if (!config.ahead || config.audit)
		return;
	if (config.filtered) {
		count(C_ahead_sandbox);
		return;
	}
	RAW2(SYS_prctl, PR_GET_TSC, &tsc);
	hot.ahead = tsc == PR_TSC_ENABLE;
}

/* Another thread may have been at work. */
void ahead_reset_in_child(void)
{
	for (unsigned i = 0; hot.ahead && i < FILES; i++)
		if (files[i].busy)
			files[i].busy = 0;
}

int64_t ahead_tell(int fd)
{
	return RAW3(SYS_lseek, fd, 0, SEEK_CUR);
}

static struct ahead_file *file_of(const struct ofd *o)
{
	unsigned i = (uint32_t)((uintptr_t)o >> 6) * 2654435761U / (UINT32_MAX / FILES + 1);
	struct ahead_file *a = &files[i], *b = &files[i ^ 1];

	if (a->ofd == o || b->ofd == o)
		return a->ofd == o ? a : b;
	return (int32_t)(a->used - b->used) < 0 ? a : b;
}

/* NULL: another thread, or whom this handler has interrupted, is at work on it. */
static struct ahead_file *file_enter(struct ofd *o)
{
	struct ahead_file *f = file_of(o);

	if (__atomic_exchange_n(&f->busy, 1, __ATOMIC_ACQUIRE) && ++f->stuck < STUCK)
		return NULL; /* a handler that has jumped away does not come back */
	f->stuck = 0;
	if (f->ofd != o || f->birth != o->birth) {
		memset(&f->pos, 0, sizeof(*f) - offsetof(struct ahead_file, pos));
		f->ofd = o;
		f->birth = o->birth;
		f->pos = -1;
	}
	f->used = ++now;
	return f;
}
static void file_leave(struct ahead_file *f)
{
	__atomic_store_n(&f->busy, 0, __ATOMIC_RELEASE);
}

/*
 * Where the last read was.  Our own offset is in the word.  The kernel's is counted on from read to
 * read, as long as the word says that nothing else went through us; it is asked for at the second read,
 * and again before anything is done about it (sure).
 */
static bool place(struct ahead_file *f, struct ofd *o, struct ahead_seen *seen)
{
	struct word w = word_load(&o->word);
	uint32_t seq = (uint32_t)(w.ctl >> 32);

	seen->sure = word_state(w) == OURS;
	if (seen->sure) {
		f->pos = w.off;
	} else if (f->pos >= 0 && seq - f->seq <= 1) {
		f->pos += seen->n;
	} else if (f->reads > 0) {
		f->pos = ahead_tell(seen->fd);
		seen->sure = true;
	}
	f->seq = seq;
	seen->off = f->pos - seen->n;
	return f->pos >= seen->n;
}

/* Copies come at one byte in a tick, or faster. */
static bool took_long(uint64_t ticks, int64_t n)
{
	return ticks > ahead_ticks_of_us(25) + ahead_ticks_of_us((uint64_t)n / 2048);
}

/*
 * Nothing is done for who never waits, so that reads are looked at only after one that has waited, and as
 * long as something is asked for.
 */
HOT bool is_of_interest(struct ahead_seen *seen)
{
	seen->waited = took_long(seen->ticks, seen->n);
	if (unlikely(seen->waited)) {
		seen->fresh = !tls.ahead;
		tls.ahead = WATCH;
	}
	return unlikely(tls.ahead) || unlikely(!ahead_is_auto());
}

static COLD void look_at(struct ahead_seen *seen, bool is_placed)
{
	uintptr_t slot = fd_slot(seen->fd);
	struct ahead_file *f;
	struct ofd *o;

	tls.ahead -= tls.ahead > 0;
	if (!slot_is_tracked(slot) || hot.off || seen->off > INT64_MAX / 4)
		return;
	o = slot_ofd(slot);
	f = file_enter(o);
	if (!f)
		return;
	if (f->never || f->skip) {
		f->skip -= f->skip > 0;
		f->pos = -1;
	} else if (is_placed || place(f, o, seen)) {
		if (ahead_saw(f, seen))
			tls.ahead = WATCH;
	}
	f->reads++;
	file_leave(f);
}

HOT void ended(struct ahead_seen seen, bool is_placed)
{
	if (unlikely(is_of_interest(&seen)))
		look_at(&seen, is_placed);
}
HOT long read_ended(int fd, long r, uint64_t began)
{
	if (likely(r > 0) && likely(!tls.vfork_depth))
		ended((struct ahead_seen){.fd = fd, .n = r, .ticks = ahead_clock() - began}, false);
	return r;
}

OFTEN long ahead_read(int fd, void *buf, size_t n)
{
	uintptr_t slot = fd_slot(fd);
	uint64_t began = ahead_clock();
	struct look l;
	long r = LOOK_AGAIN;

	if (likely(slot_is_tracked(slot)) && likely(look_usual(fd, slot, &l)))
		r = pass_usual(&l, SYS_read, buf, n, C_pass_read);
	if (r == LOOK_AGAIN)
		r = transfer_read(fd, buf, n);
	return read_ended(fd, r, began);
}
OFTEN long ahead_readv(int fd, const struct iovec *iov, int n)
{
	uint64_t began = ahead_clock();

	return read_ended(fd, transfer_readv(fd, iov, n), began);
}

OFTEN uint64_t seekless_pread_begins(int fd)
{
	if (!hot.ahead || tls.vfork_depth || !fd_is_tracked(fd))
		return 0;
	return ahead_clock();
}
OFTEN void seekless_pread_ended(int fd, int64_t off, long r, uint64_t began)
{
	if (likely(r > 0))
		ended((struct ahead_seen){.fd = fd,
					  .off = off,
					  .n = r,
					  .sure = true,
					  .ticks = ahead_clock() - began},
		      true);
}
