// SPDX-License-Identifier: MIT
/* What the library has counted in another process. */
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "printable.h"
#include "process.h"

bool process_read_root(struct process *p)
{
	struct seekless_root *r = &p->root;

	if (!process_read(p, p->root_at, r, sizeof(*r)))
		return false;
	r->version[sizeof(r->version) - 1] = '\0';
	make_printable(r->version);
	return (r->magic == SEEKLESS_MAGIC || !r->magic) && r->layout == SEEKLESS_LAYOUT &&
	       r->size >= sizeof(*r);
}

/* The keys and words, which lie one behind the other. */
bool process_read_names(struct process *p)
{
	enum { MOST_BYTES = 1 << 20, MOST_NAMES = 4096 };
	const struct seekless_root *r = &p->root;
	size_t all = (size_t)r->kinds + r->reasons;
	char *s;

	if (r->names_size > MOST_BYTES || !r->kinds || !r->reasons || all > MOST_NAMES ||
	    r->n != r->kinds + 3 * r->reasons)
		return false;
	p->names = calloc(1, (size_t)r->names_size + 1);
	p->key = calloc(all, sizeof(*p->key));
	p->words = calloc(all, sizeof(*p->words));
	p->n = calloc(r->n, sizeof(*p->n));
	if (!p->names || !p->key || !p->words || !p->n ||
	    !process_read(p, r->names, p->names, r->names_size))
		return false;
	s = p->names;
	for (size_t i = 0; i < 2 * all; i++) {
		if (s >= p->names + r->names_size)
			return false;
		*(i % 2 ? &p->words[i / 2] : &p->key[i / 2]) = s;
		make_printable(s);
		s += strlen(s) + 1;
	}
	return true;
}

/* Has another program taken the process over (exec)?  Then its memory means nothing to us. */
static bool is_still_the_same(struct process *p)
{
	struct seekless_root old = p->root, new;

	if (!process_read_root(p) || !p->root.magic)
		return false;
	if (old.started && p->root.started != old.started)
		return false;
	/* What changes once, at start. */
	new = p->root;
	old.state = new.state;
	old.started = new.started;
	return !memcmp(&old, &new, sizeof(old));
}

static long find_key(const struct process *p, const char *key)
{
	for (uint32_t i = 0; i < p->root.kinds; i++)
		if (!strcmp(p->key[i], key))
			return i;
	return -1;
}

uint64_t process_counter(const struct process *p, const char *key)
{
	long i = find_key(p, key);

	return i < 0 ? 0 : p->n[i];
}

/* Each pass has a reason; the commonest is not counted, but is what the others leave. */
static void fill_in_unseeked(struct process *p)
{
	static const char *const kinds[] = {"pass.lseek", "pass.read", "pass.write", "pass.other"};
	uint64_t *why = p->n + p->root.kinds;
	uint64_t left = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		left += process_counter(p, kinds[i]);
	for (uint32_t i = 0; i < p->root.reasons; i++)
		left -= why[i];
	for (uint32_t i = 0; i < p->root.reasons; i++)
		if (!strcmp(p->key[p->root.kinds + i], "unseeked"))
			why[i] = (int64_t)left > 0 ? left : 0; /* threads count meanwhile */
}

/* All blocks' numbers, into p->n.  Each is read by one call, with the way to the next. */
static bool sum_blocks(struct process *p, uint64_t block)
{
	enum { MOST_BLOCKS = 1 << 17 }; /* their list could be anything, a circle too */
	const struct seekless_root *r = &p->root;
	size_t size = r->n * sizeof(*p->n);
	uint64_t *n = malloc(size), seen = 0;
	bool ok = n;

	for (uint32_t i = 1; ok && block && i < MOST_BLOCKS; i++) {
		uint64_t next = 0;
		struct iovec here[] = {{n, size}, {&next, sizeof(next)}};
		struct iovec there[] = {{(void *)(block + r->block_n), size},
					{(void *)(block + r->block_next), sizeof(next)}};

		ok = process_vm_readv(p->pid, here, 2, there, 2, 0) ==
			     (ssize_t)(size + sizeof(next)) &&
		     block != seen;
		if (!(i & (i - 1)))
			seen = block;
		for (uint32_t k = 0; ok && k < r->n; k++)
			p->n[k] += n[k];
		block = next;
	}
	free(n);
	return ok;
}

/* Those that are in the file, one behind the other. */
static bool sum_image(struct process *p)
{
	const struct seekless_image *m = p->image;
	bool ok = m->block_size >= p->root.block_n && m->blocks_n < SEEKLESS_IMAGE;
	uint64_t n;

	for (uint32_t i = 0; ok && i < m->blocks_n; i++)
		for (uint32_t k = 0; ok && k < p->root.n; k++) {
			ok = process_read(p, m->base + m->blocks + (uint64_t)i * m->block_size +
						     p->root.block_n + k * sizeof(n), &n, sizeof(n));
			p->n[k] += ok ? n : 0;
		}
	return ok;
}

bool process_count(struct process *p)
{
	const struct seekless_root *r = &p->root;
	uint64_t block = 0;
	uint32_t off = 0, follows = 0;

	memset(p->n, 0, r->n * sizeof(*p->n));
	if (!is_still_the_same(p) || (!p->image && !process_read(p, r->blocks, &block, sizeof(block))) ||
	    !process_read(p, r->off, &off, sizeof(off)) ||
	    !process_read(p, r->follows, &follows, sizeof(follows)) ||
	    !(p->image ? sum_image(p) : sum_blocks(p, block)))
		return false;
	p->off = off;
	p->retired = r->state != SEEKLESS_IDLE && !follows;
	fill_in_unseeked(p);
	return true;
}

struct lseeks process_lseeks(const struct process *p)
{
	const uint64_t *back = p->n + p->root.kinds + p->root.reasons;
	struct lseeks l = {.by_fstat = process_counter(p, "seek.end")};

	l.saved = process_counter(p, "seek.set") + process_counter(p, "seek.cur") + l.by_fstat;
	l.made = l.saved + process_counter(p, "seek.asked") + process_counter(p, "pass.lseek");
	for (uint32_t i = 0; i < p->root.reasons; i++)
		l.handed_back += back[i];
	return l;
}
