// SPDX-License-Identifier: MIT
/* The descriptors that the library follows in another process, and what an audit has found there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "printable.h"
#include "process.h"

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
	if (r->ofd_size < 16 || r->ofd_size > 4096 || r->saved > r->ofd_size - 4 ||
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

bool process_path(const struct process *p, int fd, char *path, size_t size)
{
	char link[64], found[4096];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/fd/%d", (int)p->pid, fd);
	n = readlink(link, found, sizeof(found) - 1);
	found[n > 0 ? n : 0] = '\0';
	snprintf(path, size, "%s", found);
	make_printable(path);
	return n > 0;
}

size_t process_disagreements(const struct process *p, struct disagreement *d, size_t most)
{
	enum { MOST_KEPT = 1024 };
	size_t n = 0;

	for (uint32_t i = 0; i < p->root.disagreements_n && i < MOST_KEPT && n < most; i++) {
		struct seekless_disagreement there;

		if (!process_read(p, p->root.disagreements + i * sizeof(there), &there,
				  sizeof(there)))
			break;
		if (!there.at)
			continue;
		there.path[sizeof(there.path) - 1] = '\0';
		make_printable(there.path);
		d[n].fd = there.fd;
		d[n].ours = there.ours;
		d[n].kernels = there.kernels;
		process_read_text(p, there.at, d[n].at, sizeof(d[n].at));
		memcpy(d[n].path, there.path, sizeof(d[n].path));
		n++;
	}
	return n;
}

static int more_saved(const void *a, const void *b)
{
	const struct seekless_file *x = a, *y = b;

	return (x->saved < y->saved) - (x->saved > y->saved);
}

struct seekless_file *process_files(const struct process *p, size_t *n, size_t most)
{
	struct seekless_file *all, *f;
	uint32_t there = p->root.files_n;

	*n = 0;
	if (p->root.state != SEEKLESS_AUDIT || p->root.file_size != sizeof(*all) || there > 4096)
		return NULL;
	all = calloc(there, sizeof(*all));
	if (!all || !process_read(p, p->root.files, all, there * sizeof(*all)))
		there = 0;
	for (f = all; f < all + there; f++) {
		f->path[sizeof(f->path) - 1] = '\0';
		make_printable(f->path);
	}
	if (there)
		qsort(all, there, sizeof(*all), more_saved);
	while (*n < there && *n < most && all[*n].saved)
		++*n;
	return all;
}
