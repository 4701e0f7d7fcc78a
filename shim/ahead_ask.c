/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: asking the kernel to read ahead of a scan, as far as it has not yet. */
#include "ahead.h"
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define NR_cachestat 451

/*
 * The kernel cuts a request at the largest that the device takes, or its window: nearly none takes less
 * than a piece.  So much at once, so that no read is held up for long.
 */
enum { PIECES_AT_ONCE = 16, BLOCKS_MOST = 64 };
enum { CACHED_MOST = 32 }; /* pieces in a row that were there */

static void count_by(unsigned counter, int64_t n)
{
	struct block *b = tls.block;

	if (b || (b = count_block()))
		b->n[counter] += (uint64_t)n;
}

void ahead_stop(struct ahead_stream *s, unsigned why, int64_t quiet)
{
	s->asking = false;
	s->waits = 0;
	s->quiet = quiet;
	s->ticks_before = s->bytes_before = 0;
	count(why);
}

/* ---- what is known of the file ---- */

static void refuse(struct ahead_file *f)
{
	f->never = true;
	count(C_ahead_refused);
}

static void learn_size(struct ahead_file *f, int fd)
{
	struct stat st;

	if (RAW2(SYS_fstat, fd, &st) == 0)
		f->size = st.st_size;
}

void ahead_learn(struct ahead_file *f, int fd)
{
	struct stat st;
	long flags;

	if (f->known)
		return;
	f->known = true;
	flags = RAW2(SYS_fcntl, fd, F_GETFL);
	if (RAW2(SYS_fstat, fd, &st) < 0 || !S_ISREG(st.st_mode) || flags < 0 || flags & O_DIRECT) {
		refuse(f);
		return;
	}
	f->size = st.st_size;
	f->window = ahead_is_auto() ? ahead_window(st.st_dev) : 0;
}

/* ---- asking ---- */

/* Is all of it in the cache?  Where the kernel cannot tell (before 6.5, or a file of others): no. */
static bool is_cached(int fd, int64_t off, int64_t n)
{
	static bool cannot;
	struct {
		uint64_t off, n;
	} range = {(uint64_t)off, (uint64_t)n};
	uint64_t pages[5] = {0}; /* in the cache, dirty, being written, evicted, lately so */
	long r;

	if (cannot)
		return false;
	r = RAW4(NR_cachestat, fd, &range, pages, 0);
	cannot = r == -ENOSYS;
	return r == 0 && (int64_t)pages[0] * 4096 >= n;
}

/* False: it is no use to go on. */
static bool ask(struct ahead_file *f, struct ahead_stream *s, int fd, int64_t off, int64_t n)
{
	if (is_cached(fd, off, n)) {
		if (++s->cached < CACHED_MOST)
			return true;
		s->cached = 0;
		ahead_stop(s, C_ahead_cached,
			   ahead_is_auto() ? 0 : 16 * MIB); /* auto: until one waits */
		return false;
	}
	s->cached = 0;
	if (RAW3(SYS_readahead, fd, off, n) < 0) {
		refuse(f);
		return false;
	}
	count_by(C_ahead_bytes, n);
	return true;
}

static void ask_forward(struct ahead_file *f, struct ahead_stream *s, int fd)
{
	int64_t to = s->end + s->distance, n;

	if (s->asked < s->end)
		s->asked = s->end;
	to = to < f->size ? to : f->size;
	for (int i = 0; i < PIECES_AT_ONCE && s->asking && s->asked < to; i++) {
		n = to - s->asked < PIECE ? to - s->asked : PIECE;
		if ((n < PIECE && to < f->size) || !ask(f, s, fd, s->asked, n))
			break;
		s->asked += n;
	}
}

static void ask_backward(struct ahead_file *f, struct ahead_stream *s, int fd)
{
	int64_t to = s->off - s->distance, n;

	if (s->asked > s->off)
		s->asked = s->off;
	to = to > 0 ? to : 0;
	for (int i = 0; i < PIECES_AT_ONCE && s->asking && s->asked > to; i++) {
		n = s->asked - to < PIECE ? s->asked - to : PIECE;
		if ((n < PIECE && to > 0) || !ask(f, s, fd, s->asked - n, n))
			break;
		s->asked -= n;
	}
}

/* Each block by itself, half of them at a time. */
static void ask_strided(struct ahead_file *f, struct ahead_stream *s, int fd)
{
	int64_t n = s->end - s->off, most = s->distance / n, ahead = (s->asked - s->off) / s->step;

	most = most > BLOCKS_MOST ? BLOCKS_MOST : most < 2 ? 2 : most;
	if (ahead < 0 || ahead > most) {
		ahead = 0;
		s->asked = s->off;
	}
	if (ahead * 2 > most)
		return;
	for (; ahead < most && s->asking; ahead++) {
		int64_t off = s->asked + s->step;

		if (off < 0 || off >= f->size || !ask(f, s, fd, off, n))
			break;
		s->asked = off;
	}
}

static bool has_more_to_ask(const struct ahead_file *f, const struct ahead_stream *s)
{
	if (s->kind == AHEAD_FORWARD)
		return s->asked < f->size && s->end + s->distance - s->asked >= PIECE;
	return true;
}

void ahead_ask_on(struct ahead_file *f, struct ahead_stream *s, struct ahead_seen *seen)
{
	uint64_t began = ahead_clock();

	if (s->end >= f->size)
		learn_size(f, seen->fd);
	if (!has_more_to_ask(f, s))
		return;
	if (!seen->sure && ahead_tell(seen->fd) != s->end) {
		f->pos = -1; /* the program has been elsewhere, past us */
		memset(s, 0, sizeof(*s));
		return;
	}
	if (s->kind == AHEAD_FORWARD)
		ask_forward(f, s, seen->fd);
	else if (s->kind == AHEAD_BACKWARD)
		ask_backward(f, s, seen->fd);
	else
		ask_strided(f, s, seen->fd);
	s->ticks += ahead_clock() - began;
}
