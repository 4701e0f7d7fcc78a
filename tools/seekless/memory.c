// SPDX-License-Identifier: MIT
/* Another process's memory. */
#include <sys/uio.h>

#include "process.h"

bool process_read(const struct process *p, uint64_t at, void *to, size_t n)
{
	struct iovec here = {to, n}, there = {(void *)at, n};

	return process_vm_readv(p->pid, &here, 1, &there, 1, 0) == (ssize_t)n;
}

bool process_write(const struct process *p, uint64_t at, const void *from, size_t n)
{
	struct iovec here = {(void *)from, n}, there = {(void *)at, n};

	return process_vm_writev(p->pid, &here, 1, &there, 1, 0) == (ssize_t)n;
}
