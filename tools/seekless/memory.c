// SPDX-License-Identifier: MIT
/* Another process's memory. */
#include <string.h>
#include <sys/uio.h>

#include "printable.h"
#include "process.h"

bool process_read(const struct process *p, uint64_t at, void *to, size_t n)
{
	struct iovec here = {to, n}, there = {(void *)at, n};

	if (p->image) {
		uint64_t from = at - p->image->base;

		if (from > SEEKLESS_IMAGE || n > SEEKLESS_IMAGE - from)
			return false;
		memcpy(to, (const char *)p->image + from, n);
		return true;
	}
	return process_vm_readv(p->pid, &here, 1, &there, 1, 0) == (ssize_t)n;
}

bool process_write(const struct process *p, uint64_t at, const void *from, size_t n)
{
	struct iovec here = {(void *)from, n}, there = {(void *)at, n};

	return process_vm_writev(p->pid, &here, 1, &there, 1, 0) == (ssize_t)n;
}

void process_read_text(const struct process *p, uint64_t at, char *to, size_t size)
{
	size_t first = 4096 - at % 4096;

	memset(to, 0, size);
	first = first < size - 1 ? first : size - 1;
	if (process_read(p, at, to, first) && !memchr(to, '\0', first))
		process_read(p, at + first, to + first, size - 1 - first);
	make_printable(to);
}
