// SPDX-License-Identifier: MIT
/* What the library has counted in another process, and the descriptors that it follows there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "process.h"

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
	int64_t left = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		left += (int64_t)process_counter(p, kinds[i]);
	for (uint32_t i = 0; i < p->root.reasons; i++)
		left -= (int64_t)why[i];
	for (uint32_t i = 0; i < p->root.reasons; i++)
		if (!strcmp(p->key[p->root.kinds + i], "unseeked"))
			why[i] = left > 0 ? (uint64_t)left : 0; /* threads count meanwhile */
}

bool process_count(struct process *p)
{
	const struct seekless_root *r = &p->root;
	uint64_t *n = calloc(r->n, sizeof(*n)), block = 0;
	uint32_t off = 0, follows = 0;
	bool ok = n && process_read(p, r->blocks, &block, sizeof(block)) &&
		  process_read(p, r->off, &off, sizeof(off)) &&
		  process_read(p, r->follows, &follows, sizeof(follows));

	memset(p->n, 0, r->n * sizeof(*n));
	/* Not more than a process can have threads: its list could be anything. */
	for (int i = 0; ok && block && i < 1 << 22; i++) {
		ok = process_read(p, block + r->block_n, n, r->n * sizeof(*n)) &&
		     process_read(p, block + r->block_next, &block, sizeof(block));
		for (uint32_t k = 0; ok && k < r->n; k++)
			p->n[k] += n[k];
	}
	free(n);
	p->off = off;
	p->retired = r->state != SEEKLESS_IDLE && !follows;
	fill_in_unseeked(p);
	return ok;
}

/* ---- descriptors ---- */

enum { AT_ONCE = 256, MOST_SLOTS = 1 << 20 };

/* Reads the descriptions of a few numbers by one call. */
static bool read_descriptions(const struct process *p, struct followed *f, size_t n)
{
	struct iovec here[AT_ONCE], there[AT_ONCE];
	size_t size = p->root.ofd_size;
	char *room = calloc(n, size);
	bool ok;

	for (size_t i = 0; room && i < n; i++) {
		here[i] = (struct iovec){room + i * size, size};
		there[i] = (struct iovec){(void *)f[i].at, size};
	}
	ok = room && process_vm_readv(p->pid, here, n, there, n, 0) == (ssize_t)(n * size);
	for (size_t i = 0; ok && i < n; i++) {
		memcpy(&f[i].offset, room + i * size, sizeof(f->offset));
		memcpy(&f[i].ctl, room + i * size + sizeof(f->offset), sizeof(f->ctl));
		memcpy(&f[i].saved, room + i * size + p->root.saved, sizeof(f->saved));
		memcpy(&f[i].why, room + i * size + p->root.why, sizeof(f->why));
	}
	free(room);
	return ok;
}

bool process_followed(const struct process *p, struct followed **list, size_t *n)
{
	const struct seekless_root *r = &p->root;
	struct followed *f = NULL;
	uint64_t *slots = NULL;
	uint32_t high = 0;
	bool ok;

	*n = 0;
	if (r->ofd_size < 16 || r->ofd_size > 4096 || r->saved + 4 > r->ofd_size ||
	    r->why >= r->ofd_size || !process_read(p, r->slots_high, &high, sizeof(high)) ||
	    high > MOST_SLOTS)
		return false;
	slots = calloc((size_t)high + 1, sizeof(*slots));
	f = calloc((size_t)high + 1, sizeof(*f));
	ok = slots && f && process_read(p, r->slots, slots, high * sizeof(*slots));
	for (uint32_t fd = 0; ok && fd < high; fd++)
		if (slots[fd] & ~r->slot_flags)
			f[(*n)++] = (struct followed){
				.fd = (int)fd,
				.at = slots[fd] & ~r->slot_flags,
				.changes = slots[fd] & r->slot_flags,
			};
	free(slots);
	for (size_t i = 0; ok && i < *n; i += AT_ONCE)
		ok = read_descriptions(p, f + i, *n - i < AT_ONCE ? *n - i : AT_ONCE);
	*list = f;
	if (!ok)
		free(f);
	return ok;
}

static void copy_printable(char *to, const char *from, size_t size)
{
	size_t i;

	for (i = 0; i + 1 < size && from[i]; i++)
		to[i] = (unsigned char)from[i] < ' ' || from[i] == 127 ? '?' : from[i];
	to[i] = '\0';
}

bool process_path(const struct process *p, int fd, char *path, size_t size)
{
	char link[64], found[4096];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/fd/%d", (int)p->pid, fd);
	n = readlink(link, found, sizeof(found) - 1);
	found[n > 0 ? n : 0] = '\0';
	copy_printable(path, found, size);
	return n > 0;
}

size_t process_disagreements(const struct process *p, struct disagreement *d, size_t most)
{
	size_t n = 0;

	for (uint32_t i = 0; i < p->root.disagreements_n && n < most; i++) {
		struct seekless_disagreement there;
		char at[sizeof(d->at)];

		if (!process_read(p, p->root.disagreements + i * sizeof(there), &there,
				  sizeof(there)))
			break;
		if (!there.at || !process_read(p, there.at, at, sizeof(at)))
			continue;
		at[sizeof(at) - 1] = there.path[sizeof(there.path) - 1] = '\0';
		d[n].fd = there.fd;
		d[n].ours = there.ours;
		d[n].kernels = there.kernels;
		copy_printable(d[n].at, at, sizeof(at));
		copy_printable(d[n].path, there.path, sizeof(d[n].path));
		n++;
	}
	return n;
}
