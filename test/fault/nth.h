/* SPDX-License-Identifier: MIT */
/*
 * nth.h - which calls are meant: transfers on the scenario's file, whoever makes them and by whichever call; or
 * calls that stand in the library's own code.
 */
#ifndef SEEKLESS_TEST_FAULT_NTH_H
#define SEEKLESS_TEST_FAULT_NTH_H

#include "trace.h"
#include <sched.h>

/* ---- transfers on the file ---- */

static struct stat nth_file;

static bool is_file(pid_t pid, long fd)
{
	char name[64];
	struct stat st;

	snprintf(name, sizeof(name), "/proc/%d/fd/%d", pid, (int)fd);
	return !stat(name, &st) && st.st_dev == nth_file.st_dev && st.st_ino == nth_file.st_ino;
}

static bool is_transfer(const struct call *c)
{
	switch (c->nr) {
	case SYS_read:
	case SYS_readv:
	case SYS_pread64:
	case SYS_preadv:
	case SYS_preadv2:
	case SYS_write:
	case SYS_writev:
	case SYS_pwrite64:
	case SYS_pwritev:
	case SYS_pwritev2:
		return is_file(c->pid, c->args[0]);
	case SYS_sendfile:
		return is_file(c->pid, c->args[0]) || is_file(c->pid, c->args[1]);
	case SYS_splice:
	case SYS_copy_file_range:
		return is_file(c->pid, c->args[0]) || is_file(c->pid, c->args[2]);
	default:
		return false;
	}
}

/* ---- calls of the library's own ---- */

enum { KNOWN = 4096 };
static struct {
	unsigned long pc;
	pid_t pid;
	unsigned execs;
	bool ours;
} nth_known[KNOWN];

static bool is_mapped_from_library(pid_t pid, unsigned long pc)
{
	char text[512];
	unsigned long from, to;
	bool found = false;
	FILE *f;

	snprintf(text, sizeof(text), "/proc/%d/maps", pid);
	f = fopen(text, "re");
	while (f && !found && fgets(text, sizeof(text), f))
		found = sscanf(text, "%lx-%lx", &from, &to) == 2 && pc >= from && pc < to &&
			strstr(text, "libseekless");
	if (f)
		fclose(f);
	return found;
}

static bool is_by_library(const struct call *c)
{
	unsigned i = (unsigned)((c->pc ^ (unsigned long)c->pid * 31) % KNOWN);

	if (nth_known[i].pc != c->pc || nth_known[i].pid != c->pid ||
	    nth_known[i].execs != trace_execs) {
		nth_known[i].pc = c->pc;
		nth_known[i].pid = c->pid;
		nth_known[i].execs = trace_execs;
		nth_known[i].ours = is_mapped_from_library(c->pid, c->pc);
	}
	return nth_known[i].ours;
}

/* What is not the program's: a trial's, a question's or a report's. */
static bool is_private(pid_t pid, long fd)
{
	char name[64], path[PATH_MAX];
	long n;

	snprintf(name, sizeof(name), "/proc/%d/fd/%d", pid, (int)fd);
	n = readlink(name, path, sizeof(path) - 1);
	path[n < 0 ? 0 : n] = 0;
	return n < 0 || !strncmp(path, "/proc/", 6) || strstr(path, "report");
}

static bool opens_private(const struct call *c)
{
	char path[256] = "";
	struct iovec ours = {path, sizeof(path) - 1}, its = {(void *)c->args[1], sizeof(path) - 1};

	/* It may lie at the end of a page. */
	for (; its.iov_len && process_vm_readv(c->pid, &ours, 1, &its, 1, 0) < 0; its.iov_len--)
		;
	return !strncmp(path, "/proc/", 6) || strstr(path, "report");
}

enum kind { IN_PLACE, OWN, POSITIONED, SEEKS };

/* Made in the place of the program's own call, a fault is the program's as well. */
static enum kind kind_of(const struct call *c)
{
	bool at_f_pos = c->args[3] == -1;

	switch (c->nr) {
	case SYS_preadv2:
	case SYS_pwritev2:
		if (is_private(c->pid, c->args[0]))
			return OWN;
		return at_f_pos ? IN_PLACE : POSITIONED;
	case SYS_pread64:
	case SYS_preadv:
	case SYS_pwrite64:
	case SYS_pwritev:
		return is_private(c->pid, c->args[0]) ? OWN : POSITIONED;
	case SYS_lseek:
		return is_private(c->pid, c->args[0]) ? OWN : SEEKS;
	case SYS_openat:
		return opens_private(c) ? OWN : IN_PLACE;
	case SYS_read:
	case SYS_readv:
	case SYS_write:
	case SYS_writev:
	case SYS_close:
		return is_private(c->pid, c->args[0]) ? OWN : IN_PLACE;
	case SYS_rt_sigprocmask: /* fails for nobody whose arguments are good; these ask with bad ones */
		return (int)c->args[0] == -1 ? OWN : IN_PLACE;
	case SYS_clone:
		return c->args[0] == (CLONE_VFORK | CLONE_PARENT_SETTID) ? OWN : IN_PLACE;
	case SYS_fork:
	case SYS_vfork:
	case SYS_execve:
	case SYS_exit_group:
	case SYS_rt_sigreturn: /* nothing else makes them */
		return IN_PLACE;
	default:
		return OWN;
	}
}

#endif
