/* SPDX-License-Identifier: MIT */
/*
 * trace.h - runs a program, follows it and its children by ptrace, and places a fault at the n-th of
 * the system calls that are meant: an error, or a transfer that comes short.  So bare and preloaded meet
 * the same one, on any file system, which no device and no quota could arrange.
 */
#ifndef SEEKLESS_TEST_FAULT_TRACE_H
#define SEEKLESS_TEST_FAULT_TRACE_H

#include "test.h"
#include <limits.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

/* What a fault does: an errno, or one of these. */
enum { COMES_SHORT = 1000, GIVES_NOTHING };

struct call {
	pid_t pid;
	long nr, args[6];
	unsigned long pc;
};

struct plan {
	bool (*is_meant)(const struct call *c);
	long nth;	/* from 1; 0: only count */
	bool and_after; /* that one and all that follow */
	int fault;
};

struct outcome {
	long counted; /* calls that were meant */
	int status;   /* as from waitpid */
	bool hung;
	char *said; /* standard output and error */
	size_t length;
};

/* ---- the processes ---- */

enum { MOST = 64, PARTS = 16 };
static struct tracee {
	pid_t pid;
	bool changed, fails;
	long error;
	struct user_regs_struct before;
	unsigned long iov_at;
	struct iovec iov[PARTS];
	int iov_n;
} tracees[MOST];
static volatile sig_atomic_t trace_late;

static struct tracee *tracee_of(pid_t pid)
{
	struct tracee *none = NULL;

	for (int i = 0; i < MOST; i++) {
		if (tracees[i].pid == pid)
			return &tracees[i];
		if (!tracees[i].pid && !none)
			none = &tracees[i];
	}
	CHECK(none);
	*none = (struct tracee){.pid = pid};
	return none;
}

static bool is_traced(void)
{
	for (int i = 0; i < MOST; i++)
		if (tracees[i].pid)
			return true;
	return false;
}

static void memory(struct tracee *t, unsigned long at, void *here, size_t n, bool to_it)
{
	struct iovec ours = {here, n}, its = {(void *)at, n};

	if (to_it)
		process_vm_writev(t->pid, &ours, 1, &its, 1, 0);
	else if (process_vm_readv(t->pid, &ours, 1, &its, 1, 0) != (ssize_t)n)
		memset(here, 0, n);
}

/* ---- faults ---- */

static void shorten_vector(struct tracee *t, unsigned long at, unsigned long n)
{
	size_t all = 0, left;
	struct iovec iov[PARTS];

	t->iov_n = n < PARTS ? (int)n : PARTS;
	t->iov_at = at;
	memory(t, at, t->iov, sizeof(*iov) * (size_t)t->iov_n, false);
	memcpy(iov, t->iov, sizeof(iov));
	for (int i = 0; i < t->iov_n; i++)
		all += iov[i].iov_len;
	left = (all + 1) / 2;
	for (int i = 0; i < t->iov_n; i++) {
		iov[i].iov_len = iov[i].iov_len < left ? iov[i].iov_len : left;
		left -= iov[i].iov_len;
	}
	memory(t, at, iov, sizeof(*iov) * (size_t)t->iov_n, true);
}

static void halve(unsigned long long *n)
{
	if (*n < SSIZE_MAX)
		*n = (*n + 1) / 2;
}

static void shorten(struct tracee *t, const struct call *c, struct user_regs_struct *r)
{
	switch (c->nr) {
	case SYS_readv:
	case SYS_writev:
	case SYS_preadv:
	case SYS_pwritev:
	case SYS_preadv2:
	case SYS_pwritev2:
		shorten_vector(t, r->rsi, r->rdx);
		break;
	case SYS_sendfile:
		halve(&r->r10);
		break;
	case SYS_splice:
	case SYS_copy_file_range:
		halve(&r->r8);
		break;
	default:
		halve(&r->rdx);
	}
}

/* The registers that hold arguments are the program's again when the call returns. */
static void place(struct tracee *t, const struct call *c, int fault)
{
	struct user_regs_struct r;

	if (ptrace(PTRACE_GETREGS, t->pid, 0, &r))
		return;
	t->before = r;
	t->changed = true;
	t->fails = fault != COMES_SHORT;
	t->error = fault == GIVES_NOTHING ? 0 : -fault;
	if (c->nr == SYS_close)
		; /* it closes, whatever it says */
	else if (t->fails)
		r.orig_rax = -1ULL;
	else
		shorten(t, c, &r);
	ptrace(PTRACE_SETREGS, t->pid, 0, &r);
}

static void replace(struct tracee *t)
{
	struct user_regs_struct r;

	t->changed = false;
	if (t->iov_n)
		memory(t, t->iov_at, t->iov, sizeof(*t->iov) * (size_t)t->iov_n, true);
	t->iov_n = 0;
	if (ptrace(PTRACE_GETREGS, t->pid, 0, &r))
		return;
	r.rdx = t->before.rdx;
	r.r10 = t->before.r10;
	r.r8 = t->before.r8;
	if (t->fails)
		r.rax = (unsigned long long)t->error;
	ptrace(PTRACE_SETREGS, t->pid, 0, &r);
}

static void at_call(struct tracee *t, const struct plan *p, struct outcome *o)
{
	struct __ptrace_syscall_info i;
	struct call c = {.pid = t->pid};

	if (ptrace(PTRACE_GET_SYSCALL_INFO, t->pid, sizeof(i), &i) <= 0)
		return;
	if (i.op == PTRACE_SYSCALL_INFO_EXIT && t->changed)
		replace(t);
	if (i.op != PTRACE_SYSCALL_INFO_ENTRY)
		return;
	c.nr = (long)i.entry.nr;
	c.pc = i.instruction_pointer;
	for (int k = 0; k < 6; k++)
		c.args[k] = (long)i.entry.args[k];
	if (!p->is_meant(&c))
		return;
	o->counted++;
	if (p->nth && (o->counted == p->nth || (p->and_after && o->counted > p->nth)))
		place(t, &c, p->fault);
}

/* ---- the run ---- */

static void trace_alarm(int sig)
{
	(void)sig;
	trace_late = 1;
}

static unsigned trace_execs; /* what is known of a program's memory is from before them */

static void trace_stopped(struct tracee *t, int status, const struct plan *p, struct outcome *o)
{
	int sig = WSTOPSIG(status), event = status >> 16;

	if (sig == (SIGTRAP | 0x80)) {
		at_call(t, p, o);
		sig = 0;
	} else if (event) {
		trace_execs += event == PTRACE_EVENT_EXEC;
		sig = 0;
	}
	ptrace(PTRACE_SYSCALL, t->pid, 0, sig);
}

static void trace_child(char *const argv[], char *const env[], int out, int go,
			void (*prepare)(void))
{
	char byte;

	CHECK(dup2(out, 1) == 1 && dup2(out, 2) == 2 && read(go, &byte, 1) == 1);
	if (prepare)
		prepare();
	execve(argv[0], argv, env);
	_exit(127);
}

static void trace_kill(void)
{
	for (int i = 0; i < MOST; i++)
		if (tracees[i].pid)
			kill(tracees[i].pid, SIGKILL);
}

static void trace_read(int out, struct outcome *o)
{
	struct stat st;

	CHECK(fstat(out, &st) == 0);
	o->length = (size_t)st.st_size;
	CHECK((o->said = malloc(o->length + 1)));
	CHECK(pread(out, o->said, o->length, 0) == st.st_size);
	o->said[o->length] = 0;
	close(out);
}

static void trace_follow(pid_t first, const struct plan *p, struct outcome *o)
{
	int status;

	while (is_traced()) {
		pid_t pid = waitpid(-1, &status, __WALL);

		if (pid < 0 && errno == EINTR && trace_late) {
			o->hung = true;
			trace_kill();
			alarm(5);
			continue;
		}
		if (pid < 0)
			break;
		if (WIFSTOPPED(status)) {
			trace_stopped(tracee_of(pid), status, p, o);
			continue;
		}
		if (pid == first)
			o->status = status;
		tracee_of(pid)->pid = 0;
	}
}

/* PREPARE is called in the child.  The outcome's text is the caller's to free. */
static void trace(char *const argv[], char *const env[], void (*prepare)(void),
		  const struct plan *p, struct outcome *o)
{
	struct sigaction late = {.sa_handler = trace_alarm};
	int out = memfd_create("out", MFD_CLOEXEC), go[2];
	pid_t first;

	*o = (struct outcome){.status = -1};
	CHECK(out >= 0 && pipe2(go, O_CLOEXEC) == 0 && (first = fork()) >= 0);
	if (first == 0)
		trace_child(argv, env, out, go[0], prepare);
	CHECK(!ptrace(PTRACE_SEIZE, first, 0,
		      PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
			      PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL));
	CHECK(!ptrace(PTRACE_INTERRUPT, first, 0, 0));
	tracee_of(first);
	trace_execs++;
	trace_late = 0;
	sigaction(SIGALRM, &late, NULL);
	alarm(20);
	CHECK(write(go[1], "", 1) == 1 && !close(go[0]) && !close(go[1]));
	trace_follow(first, p, o);
	alarm(0);
	memset(tracees, 0, sizeof(tracees));
	trace_read(out, o);
}

#endif
