/* SPDX-License-Identifier: MIT */
/*
 * Blocks of calls that are made somewhere else: in a child, another program, a thread, a handler.
 * Everybody waits until they are done, so that there is one order.  A block is a text; what it
 * says is known to run_text().
 */
#ifndef SEEKLESS_DIFF_BLOCKS_H
#define SEEKLESS_DIFF_BLOCKS_H

#include "acts_more.h"
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <semaphore.h>
#include <spawn.h>
#include <sys/wait.h>
#include <utmp.h>
#include <wordexp.h>

enum { LOW = 64, GIVEN = 60, HELPER = 901, BLOCK_LENGTH = 4000 };
enum { HELPERS = 5, STARTED = 9 }; /* depths */

static void run_text(const char *text);

extern pid_t _Fork(void) __attribute__((weak));

static char program[PATH_MAX];

static void remember_program(void)
{
	if (readlink("/proc/self/exe", program, sizeof program - 1) <= 0)
		_exit(92);
}

/* The last word of a process. */
static void leave(void)
{
	if (verbose)
		say("  }\n");
	else
		say("%d %016lx\n", depth, (unsigned long)summary);
	flush_lines();
	raw(SYS_exit_group, 0, 0, 0, 0);
}

static long ended(pid_t pid)
{
	int st = 0;

	while (pid > 0 && waitpid(pid, &st, 0) < 0 && errno == EINTR)
		;
	errno = MARK;
	return pid > 0 ? st : -1;
}

/* The kernel's offsets, by the bare call: of what has just been inherited. */
static void kernel_offsets(int all)
{
	if (verbose)
		say("  kernel:");
	for (int fd = 3; fd < LOW; fd++) {
		long at = raw(SYS_lseek, fd, 0, SEEK_CUR, 0);

		if (at == -EBADF || (!all && raw(SYS_fcntl, fd, F_GETFD, 0, 0) & FD_CLOEXEC))
			continue;
		mix(fd);
		mix(at);
		if (verbose)
			say(" %d:%ld", fd, at);
	}
	if (verbose)
		say("\n");
}

/* ---- children ---- */

static const char *cloned_text;

static int cloned(void *arg)
{
	(void)arg;
	depth++;
	kernel_offsets(1);
	run_text(cloned_text);
	leave();
	return 0;
}

/* A child with a stack of its own, by libc. */
static pid_t by_clone(const char *text, int flags)
{
	static char stack[1 << 18] __attribute__((aligned(16)));

	cloned_text = text;
	return clone(cloned, stack + sizeof stack, flags | SIGCHLD, NULL);
}

/* A terminal of its own, that nobody types on: its numbers are as before at once. */
static pid_t by_forkpty(int *master)
{
	pid_t pid = forkpty(master, NULL, NULL, NULL);
	long null;

	if (pid)
		return pid;
	null = raw(SYS_openat, AT_FDCWD, (long)"/dev/null", O_RDWR, 0);
	for (int i = 0; i < 3; i++)
		raw(SYS_dup3, null, i, 0, 0);
	raw(SYS_close, null, 0, 0, 0);
	return 0;
}

static pid_t some_fork(int how, int *master)
{
	switch (how) {
	case 1:
		return _Fork ? _Fork() : fork();
	case 7:
		return __fork();
	case 2:
		return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	case 3:
		return by_forkpty(master);
	default:
		return fork();
	}
}

static long in_child(int how, const char *text)
{
	int master = -1;
	pid_t pid;
	long r;

	open_line();
	if (how == 5 || how == 6)
		return ended(by_clone(text, how == 6 ? CLONE_FILES : 0));
	pid = some_fork(how, &master);
	if (pid == 0) {
		depth++;
		kernel_offsets(1);
		run_text(text);
		leave();
	}
	r = ended(pid);
	if (master >= 0) /* not before: the child would lose its terminal */
		raw(SYS_close, master, 0, 0, 0);
	return r;
}

/* Memory is the parent's: depth is set back, numbers are not learnt. */
static int in_parents_memory;

static long in_vfork(const char *text)
{
	pid_t pid;

	open_line();
	pid = vfork();
	if (pid == 0) {
		depth++;
		in_parents_memory++;
		kernel_offsets(0);
		run_text(text);
		flush_lines();
		in_parents_memory--;
		depth--;
		raw(SYS_exit_group, 0, 0, 0, 0);
	}
	return ended(pid);
}

/* The process in the middle ends by itself; the last one has closed the pipe when it is done. */
static long in_daemon(int keeps_folder, int keeps_numbers, const char *text)
{
	int p[2];
	pid_t pid;
	char c;

	open_line();
	if (raw(SYS_pipe2, (long)p, 0, 0, 0))
		return NOT_MADE;
	raw(SYS_dup3, p[0], 911, 0, 0);
	raw(SYS_dup3, p[1], 912, 0, 0);
	raw(SYS_close, p[0], 0, 0, 0);
	raw(SYS_close, p[1], 0, 0, 0);
	pid = fork();
	if (pid == 0) {
		raw(SYS_close, 911, 0, 0, 0);
		depth++;
		if (daemon(keeps_folder, keeps_numbers))
			_exit(8);
		kernel_offsets(1);
		run_text(text);
		leave();
	}
	raw(SYS_close, 912, 0, 0, 0);
	while (raw(SYS_read, 911, (long)&c, 1, 0) > 0)
		;
	raw(SYS_close, 911, 0, 0, 0);
	return ended(pid);
}

/* ---- other programs ---- */

static char *start_args[] = {program, (char *)"started", NULL, NULL, NULL};

static void execute(int how)
{
	char **a = start_args, *nowhere = (char *)"/nowhere/at/all";
	int fd;

	switch (how) {
	case 0:
		execv(program, a);
		break;
	case 1:
		execve(program, a, environ);
		break;
	case 2:
		execvp(program, a);
		break;
	case 3:
		execvpe(program, a, environ);
		break;
	case 4:
		execl(program, a[0], a[1], a[2], a[3], NULL);
		break;
	case 5:
		execlp(program, a[0], a[1], a[2], a[3], NULL);
		break;
	case 6:
		execle(program, a[0], a[1], a[2], a[3], NULL, environ);
		break;
	case 7:
		fd = open(program, O_RDONLY | O_CLOEXEC);
		fexecve(fd, a, environ);
		break;
	case 8:
		execveat(AT_FDCWD, program, a, environ, 0);
		break;
	case 9:
		syscall(SYS_execve, program, a, environ);
		break;
	default: /* fails, and the offsets go on as before */
		execv(nowhere, a);
	}
}

static long start(int by_vfork, int how, const char *text)
{
	pid_t pid;

	open_line();
	start_args[2] = verbose ? (char *)"1" : (char *)"0";
	start_args[3] = (char *)text;
	pid = by_vfork ? vfork() : fork();
	if (pid == 0) {
		execute(how);
		raw(SYS_exit_group, 7, 0, 0, 0);
	}
	return ended(pid);
}

/* This process, which is a child, becomes the program. */
static long become(int how, const char *text)
{
	if (depth == 0 || depth == HELPERS || in_parents_memory)
		return NOT_MADE;
	open_line();
	start_args[2] = verbose ? (char *)"1" : (char *)"0";
	start_args[3] = (char *)text;
	if (!verbose)
		say("%d %016lx\n", depth, (unsigned long)summary);
	flush_lines();
	execute(how);
	return -1;
}

/* In this process; it can only fail. */
static long fail_to_start(int how)
{
	char *const none[] = {(char *)"x", NULL};
	const char *nowhere = "/nowhere/at/all";

	switch (how) {
	case 0:
		return execv(nowhere, none);
	case 1:
		return execvp(nowhere, none);
	case 2:
		return execl(nowhere, "x", NULL);
	case 3:
		return execveat(AT_FDCWD, nowhere, none, environ, 0);
	default:
		return syscall(SYS_execve, nowhere, none, environ);
	}
}

/* Numbers below 0: no such action. */
static long spawn(int by_path, int from, int to, int gone, const char *text)
{
	posix_spawn_file_actions_t acts;
	pid_t pid = -1;
	int e;

	open_line();
	start_args[2] = verbose ? (char *)"1" : (char *)"0";
	start_args[3] = (char *)text;
	posix_spawn_file_actions_init(&acts);
	if (from >= 0 && to >= 0)
		posix_spawn_file_actions_adddup2(&acts, from, to);
	if (gone >= 0)
		posix_spawn_file_actions_addclose(&acts, gone);
	if (by_path)
		e = posix_spawnp(&pid, program, &acts, NULL, start_args, environ);
	else
		e = posix_spawn(&pid, program, &acts, NULL, start_args, environ);
	posix_spawn_file_actions_destroy(&acts);
	also(e);
	return e ? -3 : ended(pid);
}

static long by_shell(int how, const char *text)
{
	char command[PATH_MAX + BLOCK_LENGTH + 80];
	wordexp_t w;
	long r = -1;
	FILE *f;

	open_line();
	snprintf(command, sizeof command, how == 3 ? "$(%s started %d %s)" : "%s started %d %s",
		 program, verbose, text);
	if (how == 0) {
		r = system(command);
	} else if (how < 3) {
		f = popen(command, how == 1 ? "r" : "we");
		r = f ? pclose(f) : -1;
	} else if (wordexp(command, &w, 0) == 0) {
		r = (long)w.we_wordc;
		wordfree(&w);
	}
	return loose(r);
}

#endif
