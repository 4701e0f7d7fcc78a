/* SPDX-License-Identifier: MIT */
/*
 * model.h - what the kernel promises, written as a sequential program, and the search for an order.
 *
 * The model is one file and the open file descriptions (ofds) on it.  Lengths and offsets are in cells; a
 * write puts its own value into each cell, so that a read shows whose writes it met.  A history is a set of calls,
 * each with the instants of its begin and end, and what it returned.  It is linearizable if the
 * calls can be put in an order, in which none comes before another that had ended when it began, such that
 * the model, run in this order, returns the same.  POSIX and the kernel (f_pos lock, inode lock) promise
 * such an order for read, write, lseek on regular files; see fs/file.c, fdget_pos().
 *
 * What the kernel does not promise is an order of a read's data and another's write that overlap: let them
 * meet in one cell of one page only, or make each read cells that nobody writes at the time.
 *
 * A call that never returned (its thread was cancelled or killed, or a handler jumped out of it) may have
 * been done or not, with any result.
 */
#ifndef TEST_MODEL_H
#define TEST_MODEL_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { M_CELLS = 96, M_NUMBERS = 6, M_OFDS = 6, M_CALLS = 32, M_MOST = 8 };

enum m_op {
	M_READ,
	M_WRITE,
	M_PREAD,
	M_PWRITE,
	M_LSEEK,
	M_SET_APPEND,
	M_OPEN,
	M_CLOSE,
	M_DUP2,
	M_OPS
};

struct m_call {
	enum m_op op;
	int thread;
	int number;	/* the descriptor, 0 to M_NUMBERS - 1 */
	int onto;	/* M_DUP2: the other one */
	int count;	/* cells: of a transfer, at most M_MOST; O_APPEND: 1 sets, 0 clears (M_OPEN, M_SET_APPEND) */
	int at, whence; /* M_LSEEK; at: M_PREAD, M_PWRITE */
	uint16_t value; /* what a write puts into each cell */
	uint64_t begin, end; /* end is UINT64_MAX where it never returned */
	int result;	     /* cells, offset, or -errno */
	uint16_t seen[M_MOST];
};

struct model {
	int8_t ofd_of[M_NUMBERS]; /* -1: closed */
	struct {
		int16_t at;
		int8_t refs, append;
	} ofd[M_OFDS];
	int16_t size;
	uint16_t cell[M_CELLS];
};

static inline void model_start(struct model *m, int cells)
{
	memset(m, 0, sizeof(*m));
	memset(m->ofd_of, -1, sizeof(m->ofd_of));
	m->size = (int16_t)cells;
	for (int i = 0; i < cells; i++)
		m->cell[i] = (uint16_t)(1000 + i);
}

static inline void model_drop(struct model *m, int number)
{
	int o = m->ofd_of[number];

	if (o >= 0 && !--m->ofd[o].refs)
		m->ofd[o].at = m->ofd[o].append = 0;
	m->ofd_of[number] = -1;
}

static inline int model_open(struct model *m, int number)
{
	int free = 0;

	while (m->ofd[free].refs)
		free++;
	model_drop(m, number);
	m->ofd[free].refs = 1;
	m->ofd[free].at = 0;
	m->ofd[free].append = 0;
	m->ofd_of[number] = (int8_t)free;
	return 0;
}

static inline int model_read(const struct model *m, int at, int count, uint16_t *seen)
{
	int n = at < m->size ? m->size - at : 0;

	n = n < count ? n : count;
	if (n > 0)
		memcpy(seen, &m->cell[at], (size_t)n * sizeof(*seen));
	return n;
}

static inline int model_write(struct model *m, int at, int count, uint16_t value)
{
	if (count && at + count > M_CELLS)
		return -EFBIG; /* histories are to stay below */
	for (int i = 0; i < count; i++)
		m->cell[at + i] = value;
	if (count && m->size < at + count)
		m->size = (int16_t)(at + count);
	return count;
}

/* Does the call now; what it returns, and for a read what it sees. */
static inline int model_do(struct model *m, const struct m_call *c, uint16_t *seen)
{
	int o = m->ofd_of[c->number], r;
	long target;

	if (c->op == M_OPEN && o >= 0)
		return -EEXIST;
	if (c->op == M_OPEN) {
		model_open(m, c->number);
		m->ofd[m->ofd_of[c->number]].append = c->count != 0;
		return 0;
	}
	if (o < 0)
		return -EBADF;
	switch (c->op) {
	case M_READ:
		r = model_read(m, m->ofd[o].at, c->count, seen);
		m->ofd[o].at = (int16_t)(m->ofd[o].at + r);
		return r;
	case M_WRITE:
		if (m->ofd[o].append && c->count)
			m->ofd[o].at = m->size;
		r = model_write(m, m->ofd[o].at, c->count, c->value);
		m->ofd[o].at = (int16_t)(m->ofd[o].at + (r > 0 ? r : 0));
		return r;
	case M_PREAD:
		return model_read(m, c->at, c->count, seen);
	case M_PWRITE: /* Linux: with O_APPEND the offset counts for nothing */
		return model_write(m, m->ofd[o].append ? m->size : c->at, c->count, c->value);
	case M_LSEEK:
		target = c->at + (c->whence == SEEK_CUR	  ? m->ofd[o].at
				  : c->whence == SEEK_END ? m->size
							  : 0);
		if (target < 0 || target > INT16_MAX)
			return -EINVAL;
		m->ofd[o].at = (int16_t)target;
		return (int)target;
	case M_SET_APPEND:
		m->ofd[o].append = (int8_t)c->count;
		return 0;
	case M_CLOSE:
		model_drop(m, c->number);
		return 0;
	case M_DUP2:
		if (c->onto != c->number) {
			m->ofd[o].refs++;
			model_drop(m, c->onto);
			m->ofd_of[c->onto] = (int8_t)o;
		}
		return c->onto;
	default:
		return -ENOSYS;
	}
}

static inline bool model_fits(struct model *m, const struct m_call *c)
{
	uint16_t seen[M_MOST];
	int r = model_do(m, c, seen);

	if (c->end == UINT64_MAX)
		return true;
	if (r != c->result)
		return false;
	return (c->op != M_READ && c->op != M_PREAD) || r <= 0 ||
	       !memcmp(seen, c->seen, (size_t)r * sizeof(*seen));
}

/* The search (Wing and Gong, 1993; with Lowe's memory of what was tried, 2016). */
enum { M_TRIED = 1 << 14 };
struct m_search {
	const struct m_call *call;
	int n;
	const struct model *want; /* what must be there in the end; may be NULL */
	uint32_t ended;		  /* bits: the calls that must be in the order */
	uint64_t tried[M_TRIED];  /* hashes of (calls done, model): 0 is free */
	int order[M_CALLS];	  /* the order found */
	int found;
};

static inline bool m_is_new(struct m_search *s, uint32_t done, const struct model *m)
{
	const unsigned char *b = (const unsigned char *)m;
	uint64_t h = 0xcbf29ce484222325 ^ done;

	for (size_t i = 0; i < sizeof(*m); i++)
		h = (h ^ b[i]) * 0x100000001b3;
	h |= 1;
	for (size_t i = 0; i < 8; i++) {
		uint64_t *at = &s->tried[((h >> 20) + i) & (M_TRIED - 1)];

		if (*at == h)
			return false;
		if (!*at) {
			*at = h;
			return true;
		}
	}
	return true; /* no room to remember: only slower */
}

static inline bool m_from(struct m_search *s, uint32_t done, const struct model *m, int depth)
{
	uint64_t first_end = UINT64_MAX;

	if ((done & s->ended) == s->ended && (!s->want || !memcmp(s->want, m, sizeof(*m)))) {
		s->found = depth;
		return true;
	}
	if (!m_is_new(s, done, m))
		return false;
	for (int i = 0; i < s->n; i++)
		if (!(done >> i & 1) && s->call[i].end < first_end)
			first_end = s->call[i].end;
	for (int i = 0; i < s->n; i++) {
		struct model next = *m;

		if (done >> i & 1 || s->call[i].begin > first_end)
			continue;
		s->order[depth] = i;
		if (model_fits(&next, &s->call[i]) && m_from(s, done | 1u << i, &next, depth + 1))
			return true;
	}
	return false;
}

/*
 * Is there an order of the n calls (at most M_CALLS) that gives their results, starting from m, and
 * ending in *want, if that is not NULL?  s->order tells it: s->found calls.
 */
static inline bool model_explains(struct m_search *s, const struct model *m,
				  const struct m_call *call, int n, const struct model *want)
{
	memset(s, 0, sizeof(*s));
	s->call = call;
	s->n = n;
	s->want = want;
	for (int i = 0; i < n; i++)
		if (call[i].end != UINT64_MAX)
			s->ended |= 1u << i;
	return m_from(s, 0, m, 0);
}

#endif
