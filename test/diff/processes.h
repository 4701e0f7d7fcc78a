/* SPDX-License-Identifier: MIT */
/* Calls that hand descriptors to other processes; each waits for the other to end, so that
 * there is one order. */
#ifndef SEEKLESS_DIFF_PROCESSES_H
#define SEEKLESS_DIFF_PROCESSES_H

#include "streams.h"
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <wordexp.h>

void one_call(int per_mille);

extern pid_t _Fork(void) __attribute__((weak));

static char program[PATH_MAX];

static void remember_program(void)
{
	if (readlink("/proc/self/exe", program, sizeof program - 1) <= 0)
		_exit(92);
}

static void ended(const char *who, pid_t pid)
{
	int st = 0;

	while (pid > 0 && waitpid(pid, &st, 0) < 0 && errno == EINTR)
		;
	say(" %s %s, status %d\n", who, pid > 0 ? "ended" : "failed", st);
}

/* The kernel's offset of every low number, by the bare call. */
static void kernel_offsets(int all)
{
	say("  kernel:");
	for (int fd = 0; fd < LOW; fd++) {
		long at = raw(SYS_lseek, fd, 0, SEEK_CUR, 0);
		long ce = raw(SYS_fcntl, fd, F_GETFD, 0, 0);

		if (at != -EBADF && fd > 2 && (all || !(ce & FD_CLOEXEC)))
			say(" %d:%ld", fd, at);
	}
	say("\n");
}

static pid_t some_fork(void)
{
	switch (below(4)) {
	case 0:
		if (_Fork)
			return _Fork();
		return fork();
	case 1:
		return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	default:
		return fork();
	}
}

/* A child that only looks: the offsets that were handed over. */
static void look_by_fork(void)
{
	pid_t pid;

	CALL("look\n");
	flush_lines();
	pid = some_fork();
	if (pid == 0) {
		kernel_offsets(1);
		flush_lines();
		_exit(0);
	}
	ended("looker", pid);
}

static void look(void)
{
	look_by_fork();
}

/* A child with a history of its own. */
static void make_fork(void)
{
	uint64_t seed = chance();
	long calls = 1 + below(12);
	pid_t pid;

	if (depth > 1)
		return;
	CALL("fork\n");
	flush_lines();
	pid = some_fork();
	if (pid == 0) {
		depth++;
		kernel_offsets(1);
		chance_state = seed;
		for (long i = 0; i < calls; i++)
			one_call(30);
		look_by_fork(); /* it may hold offsets of its own */
		flush_lines();
		_exit(0);
	}
	ended("child", pid);
	if (percent(50)) {
		CALL("what is left:");
		for (int i = 0; i < open_count; i++)
			say(" %d:%ld", open_numbers[i],
			    (long)lseek(open_numbers[i], 0, SEEK_CUR));
		say("\n");
	}
}

/* In a vfork'ed child: memory is the parent's, so nothing is learnt or forgotten there. */
static void in_vfork(int numbers[4])
{
	long n;

	switch (below(7)) {
	case 0:
		CALL("  dup2(%d, %d)", numbers[0], numbers[1]);
		result(dup2(numbers[0], numbers[1]));
		break;
	case 1:
		CALL("  close(%d)", numbers[2]);
		result(close(numbers[2]));
		break;
	case 2:
		CALL("  read(%d)", numbers[0]);
		n = result(read(numbers[0], room, 7));
		sum(room, n);
		break;
	case 3:
		CALL("  lseek(%d)", numbers[1]);
		result(lseek(numbers[1], 100, SEEK_SET));
		break;
	case 4:
		CALL("  write(%d)", numbers[3]);
		result(write(numbers[3], "by a child", 10));
		break;
	case 5:
		CALL("  open()");
		result(open("f1", O_RDWR | O_CREAT | O_NONBLOCK, 0600));
		break;
	default:
		CALL("  fcntl(%d, F_SETFD)", numbers[1]);
		result(fcntl(numbers[1], F_SETFD, 0));
	}
	end_of_call();
}

static char *start_args[] = {program, "started", NULL, NULL};
static char start_seed[24];

static void set_start_args(void)
{
	snprintf(start_seed, sizeof start_seed, "%llu", (unsigned long long)chance());
	start_args[2] = start_seed;
}

static int vfork_numbers[4], vfork_turns, vfork_starts;
static uint64_t vfork_seed;

static void by_vfork(int starts)
{
	pid_t pid;

	for (int i = 0; i < 4; i++)
		vfork_numbers[i] = a_number();
	vfork_turns = (int)below(5);
	vfork_seed = chance_state + 1;
	vfork_starts = starts;
	set_start_args();
	CALL("vfork\n");
	flush_lines();
	pid = vfork();
	if (pid == 0) {
		depth++;
		kernel_offsets(0);
		for (int i = 0; i < vfork_turns; i++)
			in_vfork(vfork_numbers);
		flush_lines();
		depth--;
		if (vfork_starts)
			execv(vfork_starts == 1 ? program : "/nowhere/at/all", start_args);
		_exit(5);
	}
	chance_state = vfork_seed;
	ended("vfork child", pid);
}

static void make_vfork(void)
{
	by_vfork(0);
}

static void start_by_vfork(void)
{
	by_vfork(1);
}

static void fail_to_start(void)
{
	char *args[] = {"x", NULL};

	if (percent(50)) {
		by_vfork(2);
		return;
	}
	CALL("execv()");
	result(execv("/nowhere/at/all", args));
	end_of_call();
}

static void start_by_fork(void)
{
	pid_t pid;

	CALL("fork, exec\n");
	set_start_args();
	flush_lines();
	pid = some_fork();
	if (pid == 0) {
		if (open_count) /* a descriptor of its own goes along */
			dup2(open("f2", O_RDWR | O_CREAT, 0600), LOW - 1);
		if (lseek(LOW - 1, 50, SEEK_SET) == 50 && read(LOW - 1, room, 5) == 5)
			lseek(LOW - 1, 7, SEEK_CUR);
		execv(program, start_args);
		_exit(6);
	}
	ended("program", pid);
}

static void start_by_spawn(void)
{
	posix_spawn_file_actions_t acts;
	int from = a_number(), to = (int)below(LOW), gone = a_number(), e;
	pid_t pid = -1;

	CALL("posix_spawn(%d to %d, close %d)\n", from, to, gone);
	set_start_args();
	flush_lines();
	posix_spawn_file_actions_init(&acts);
	if (percent(70) && from >= 0)
		posix_spawn_file_actions_adddup2(&acts, from, to);
	if (percent(30) && gone >= 0 && gone != to)
		posix_spawn_file_actions_addclose(&acts, gone);
	e = posix_spawn(&pid, program, &acts, NULL, start_args, environ);
	posix_spawn_file_actions_destroy(&acts);
	say("  error %d", e);
	ended("program", e ? -1 : pid);
}

static void start_by_shell(void)
{
	char command[80];
	int fd = a_number();
	FILE *f;
	long n;

	if (fd < 3 || fd > 9)
		return;
	snprintf(command, sizeof command,
		 "dd bs=5 count=1 status=none <&%d 2>/dev/null | od -An -tx1", fd);
	CALL("shell: %s", command);
	flush_lines();
	if (percent(50)) {
		f = popen(command, "r");
		n = f ? (long)fread(room, 1, 100, f) : -1;
		say(" %ld", n);
		sum(room, n);
		say(" status %d", f ? pclose(f) : -1);
	} else {
		snprintf(command, sizeof command,
			 "dd bs=5 count=1 status=none <&%d >/dev/null 2>&1", fd);
		say(" status %d", system(command));
	}
	end_of_call();
}

static void expand_words(void)
{
	char text[80];
	int fd = a_number();
	wordexp_t w;

	if (fd < 3 || fd > 9)
		return;
	snprintf(text, sizeof text,
		 "$(dd bs=3 count=1 status=none <&%d 2>/dev/null | od -An -tx1)", fd);
	CALL("wordexp: %s", text);
	flush_lines();
	if (wordexp(text, &w, 0) == 0) {
		for (size_t i = 0; i < w.we_wordc; i++)
			say(" %s", w.we_wordv[i]);
		wordfree(&w);
	}
	end_of_call();
}

/* To ourselves through a socket: a second number, which the shim has not seen being born. */
static void send_to_self(void)
{
	int fd = a_number(), s[2], got = -1;
	char byte = 'x', control[CMSG_SPACE(sizeof(int))] = {0};
	struct iovec v = {&byte, 1};
	struct msghdr m = {.msg_iov = &v,
			   .msg_iovlen = 1,
			   .msg_control = control,
			   .msg_controllen = sizeof control};
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	struct mmsghdr many = {.msg_hdr = m};

	if (open_count > 12 || socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, s))
		return;
	*c = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)),
			      .cmsg_level = SOL_SOCKET,
			      .cmsg_type = SCM_RIGHTS};
	memcpy(CMSG_DATA(c), &fd, sizeof fd);
	CALL("send %d", fd);
	if (result(percent(70) ? sendmsg(s[0], &m, 0) : sendmmsg(s[0], &many, 1, 0)) > 0) {
		recvmsg(s[1], &m, 0);
		memcpy(&got, CMSG_DATA(c), sizeof got);
		say(" is %d", got);
	}
	close(s[0]);
	close(s[1]);
	learn(got);
	end_of_call();
	if (got >= 0) {
		say("  kernel: %ld\n", raw(SYS_lseek, got, 0, SEEK_CUR, 0));
		CALL("lseek(%d, 0, 1)", got);
		result(lseek(got, 0, SEEK_CUR));
		end_of_call();
	}
}

/* The program that was started: it looks, then moves a few offsets, through libc and past it.
 */
static int started(int argc, char **argv)
{
	(void)argc;
	chance_state = strtoull(argv[2], NULL, 0);
	depth = 9;
	make_room();
	kernel_offsets(1);
	for (int i = 0; i < 3; i++) {
		int fd = 3 + (int)below(LOW - 3);
		long n;

		if (raw(SYS_fcntl, fd, F_GETFL, 0, 0) < 0)
			continue;
		CALL("  lseek(%d)", fd);
		if (percent(50))
			result(lseek(fd, below(500), SEEK_SET));
		else
			say(" bare %ld", raw(SYS_lseek, fd, below(500), SEEK_SET, 0));
		end_of_call();
		if (raw(SYS_fcntl, fd, F_SETFL,
			O_NONBLOCK | (raw(SYS_fcntl, fd, F_GETFL, 0, 0) & O_APPEND), 0) < 0)
			continue;
		CALL("  read(%d)", fd);
		n = result(read(fd, room, 9));
		sum(room, n);
		end_of_call();
	}
	kernel_offsets(1);
	flush_lines();
	return 0;
}

#endif
