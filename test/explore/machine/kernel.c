/* SPDX-License-Identifier: MIT */
/* The explorer's kernel: one file, its descriptions and numbers, as test/model.h has them. */
#include "explore.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

struct kernel kernel;
uint16_t kernel_sent[M_CALLS][M_MOST];

void kernel_start(void)
{
	memset(&kernel, 0, sizeof(kernel));
	model_start(&kernel.m, 12);
}

bool kernel_has_number(long fd)
{
	return fd >= FIRST_FD && fd < FIRST_FD + M_NUMBERS;
}
static int lowest_free(void)
{
	int n = 0;

	while (n < M_NUMBERS - 1 && kernel.m.ofd_of[n] >= 0)
		n++;
	return n;
}

/* ---- what a call touches, if it is made now ---- */

struct list {
	struct access *a;
	int n;
};
static void add(struct list *l, enum access_kind kind, const uint32_t *what)
{
	l->a[l->n++] = (struct access){what, kind, sizeof(*what), 0};
}

static void add_file(struct list *l, long nr, long whence, int ofd)
{
	switch (nr) {
	case SYS_read:
	case NR_CHILD_READS:
	case SYS_write:
		add(l, STORE, &kernel.ofd[ofd]);
		add(l, nr == SYS_write ? STORE : LOAD, &kernel.inode);
		break;
	case SYS_lseek:
		add(l, STORE, &kernel.ofd[ofd]);
		if (whence == SEEK_END)
			add(l, LOAD, &kernel.inode);
		break;
	case SYS_pread64:
	case SYS_fstat:
		add(l, LOAD, &kernel.inode);
		break;
	case SYS_pwrite64:
		add(l, LOAD, &kernel.ofd[ofd]);
		add(l, STORE, &kernel.inode);
		break;
	case SYS_fcntl:
		add(l, LOAD, &kernel.ofd[ofd]);
		break;
	case SYS_dup2:
	case NR_F_APPEND:
	case SYS_close:
		add(l, STORE, &kernel.ofd[ofd]);
	}
}

int kernel_accesses(long nr, const long *arg, struct access *a)
{
	struct list l = {a, 0};
	int n;

	if (nr == SYS_openat || nr == SYS_dup)
		for (n = 0; n < M_NUMBERS; n++)
			add(&l, n == lowest_free() ? STORE : LOAD, &kernel.number[n]);
	if (nr == SYS_openat || nr == SYS_dup)
		return l.n;
	if (!kernel_has_number(arg[0]))
		return 0;
	n = (int)arg[0] - FIRST_FD;
	add(&l, nr == SYS_close ? STORE : LOAD, &kernel.number[n]);
	if (kernel.m.ofd_of[n] >= 0)
		add_file(&l, nr, arg[2], kernel.m.ofd_of[n]);
	if (nr == SYS_dup2 && arg[1] != arg[0]) {
		int to = (int)arg[1] - FIRST_FD;

		add(&l, STORE, &kernel.number[to]);
		if (kernel.m.ofd_of[to] >= 0)
			add(&l, STORE, &kernel.ofd[kernel.m.ofd_of[to]]);
	}
	return l.n;
}

/* ---- the calls ---- */

static long do_stat(long nr, const long *arg)
{
	int o = kernel.m.ofd_of[arg[0] - FIRST_FD];

	if (o < 0)
		return -EBADF;
	if (nr == SYS_fcntl)
		return arg[1] == F_GETFL && kernel.m.ofd[o].append ? O_APPEND : 0;
	if (nr == SYS_fstat) {
		struct stat *st = (struct stat *)arg[1];

		memset(st, 0, sizeof(*st));
		st->st_mode = S_IFREG | 0600;
		st->st_dev = makedev(8, 1);
		st->st_size = kernel.m.size;
	} else if (nr == SYS_fstatfs) {
		memset((void *)arg[1], 0, sizeof(struct statfs));
		((struct statfs *)arg[1])->f_type = 0xef53;
	}
	return 0;
}

static long do_model(struct m_call *c, void *buf)
{
	uint16_t seen[M_MOST];
	int r = model_do(&kernel.m, c, seen);

	if (r > 0 && buf)
		memcpy(buf, seen, (size_t)r * sizeof(*seen));
	return r;
}

static long do_call(long nr, const long *arg)
{
	struct m_call c = {
		.number = (int)arg[0] - FIRST_FD, .count = (int)arg[2], .at = (int)arg[3]};
	long r;

	switch (nr) {
	case SYS_read:
	case SYS_pread64:
	case NR_CHILD_READS:
		c.op = nr == SYS_pread64 ? M_PREAD : M_READ;
		return do_model(&c, (void *)arg[1]);
	case SYS_write:
	case SYS_pwrite64:
		c.op = nr == SYS_write ? M_WRITE : M_PWRITE;
		c.value = *(const uint16_t *)arg[1];
		return do_model(&c, NULL);
	case SYS_lseek:
		c.op = M_LSEEK;
		c.at = (int)arg[1];
		c.whence = (int)arg[2];
		return do_model(&c, NULL);
	case SYS_close:
		c.op = M_CLOSE;
		return do_model(&c, NULL);
	case SYS_dup2:
		c.op = M_DUP2;
		c.onto = (int)arg[1] - FIRST_FD;
		r = do_model(&c, NULL);
		return r < 0 ? r : r + FIRST_FD;
	case NR_F_APPEND:
		c.op = M_SET_APPEND;
		c.count = !!(arg[1] & O_APPEND);
		return do_model(&c, NULL);
	case SYS_dup:
		c.op = M_DUP2;
		c.onto = lowest_free();
		r = do_model(&c, NULL);
		if (r >= 0)
			kernel.is_young[r] = true;
		return r < 0 ? r : r + FIRST_FD;
	default:
		return do_stat(nr, arg);
	}
}

static long do_open(long flags)
{
	struct m_call c = {.op = M_OPEN, .number = lowest_free(), .count = !!(flags & O_APPEND)};
	long r = do_model(&c, NULL);

	if (r < 0)
		return r;
	kernel.is_young[c.number] = true;
	return FIRST_FD + c.number;
}

long kernel_do(long nr, const long *arg)
{
	struct model before = kernel.m;
	long r;

	if (nr == SYS_openat)
		r = do_open(arg[2]);
	else
		r = kernel_has_number(arg[0]) ? do_call(nr, arg) : -EBADF;
	for (int i = 0; i < M_NUMBERS; i++)
		kernel.number[i] += before.ofd_of[i] != kernel.m.ofd_of[i];
	for (int i = 0; i < M_OFDS; i++)
		kernel.ofd[i] += before.ofd[i].at != kernel.m.ofd[i].at ||
				 before.ofd[i].append != kernel.m.ofd[i].append;
	kernel.inode += before.size != kernel.m.size ||
			memcmp(before.cell, kernel.m.cell, sizeof(before.cell));
	return r;
}

const char *kernel_name(long nr)
{
	static const struct {
		long nr;
		const char *name;
	} names[] = {{SYS_read, "read"},       {SYS_write, "write"},
		     {SYS_pread64, "pread"},   {SYS_pwrite64, "pwrite"},
		     {SYS_lseek, "lseek"},     {SYS_close, "close"},
		     {SYS_dup2, "dup2"},       {SYS_dup, "dup"},
		     {SYS_openat, "open"},     {SYS_fstat, "fstat"},
		     {NR_F_APPEND, "F_SETFL"}, {SYS_fcntl, "F_GETFD or F_GETFL"},
		     {SYS_fstatfs, "fstatfs"}, {NR_CHILD_READS, "a child reads"}};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].nr == nr)
			return names[i].name;
	return "?";
}
