/* SPDX-License-Identifier: MIT */
/* Blocks in threads and handlers, and descriptors that go to other processes and come from them. */
#ifndef SEEKLESS_DIFF_PASSING_H
#define SEEKLESS_DIFF_PASSING_H

#include "blocks.h"
#include <threads.h>

/* ---- threads, one at a time ---- */

static const char *thread_text;
static sem_t thread_go, thread_done;
static pid_t thread_of; /* the process in which it lives */

static void *once(void *arg)
{
	run_text(thread_text);
	if (arg)
		pthread_exit(arg);
	return arg;
}
static int once_of_c11(void *arg)
{
	(void)arg;
	run_text(thread_text);
	thrd_exit(1);
}

static void *always(void *arg)
{
	for (;;) {
		while (sem_wait(&thread_go))
			;
		run_text(thread_text);
		sem_post(&thread_done);
	}
	return arg;
}

/* kind 1: in a thread that stays; others: in one that ends then. */
static long in_thread(int kind, const char *text)
{
	pid_t self = (pid_t)raw(SYS_getpid, 0, 0, 0, 0);
	pthread_t t;

	open_line();
	thread_text = text;
	if (kind == 3)
		return loose(thrd_create(&t, once_of_c11, NULL) || thrd_join(t, NULL));
	if (kind != 1)
		return loose(pthread_create(&t, NULL, once, kind ? &t : NULL) ||
			     pthread_join(t, NULL));
	if (thread_of != self) {
		sem_init(&thread_go, 0, 0);
		sem_init(&thread_done, 0, 0);
		if (pthread_create(&t, NULL, always, NULL))
			return NOT_MADE;
		thread_of = self;
	}
	sem_post(&thread_go);
	while (sem_wait(&thread_done))
		;
	return loose(0);
}

/* ---- handlers ---- */

static const char *handler_text;
static char limit_text[BLOCK_LENGTH];
static int limit_jumps;

static void jump(int how, jmp_buf *to)
{
	switch (how) {
	case 1:
		longjmp(*to, 1);
	case 2:
		siglongjmp(*to, 1);
	case 3:
		_longjmp(*to, 1);
	default:
		__longjmp_chk(*to, 1);
	}
}

static void on_signal(int sig)
{
	char text[BLOCK_LENGTH];
	int jumps = 0;
	jmp_buf *to = jump_to;

	if (sig == SIGXFSZ) {
		if (!limit_text[0])
			return;
		strcpy(text, limit_text);
		limit_text[0] = 0;
		jumps = limit_jumps;
		if (verbose)
			say(" {\n");
		run_text(text);
		if (verbose)
			say("  }");
		if (jumps && to && !in_parents_memory)
			jump(jumps, to);
	} else {
		run_text(handler_text);
	}
}

static void prepare_signals(void)
{
	struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESTART | SA_NODEFER};

	sigaction(SIGXFSZ, &act, NULL);
	sigaction(SIGUSR2, &act, NULL);
	act.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &act, NULL);
}

static long in_handler(const char *text)
{
	open_line();
	handler_text = text;
	return loose(raise(SIGUSR2));
}

/* The next write that meets the limit of sizes is interrupted by these calls, once, just when it
 * has failed; with jumps, it never comes back. */
static long at_limit(int jumps, const char *text)
{
	if (strlen(text) < sizeof limit_text)
		strcpy(limit_text, text);
	limit_jumps = jumps;
	return 0;
}

/* ---- descriptors between processes ---- */

static long send_numbers(int how, int s, int a, int b, const char *text)
{
	int n = b >= 0 ? 2 : 1, numbers[2] = {a, b};
	char control[CMSG_SPACE(2 * sizeof(int))] = {0};
	struct iovec v = {(char *)text, strlen(text) + 1};
	struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = control};
	struct mmsghdr many;
	struct cmsghdr *c;

	m.msg_controllen = CMSG_SPACE(n * sizeof(int));
	c = CMSG_FIRSTHDR(&m);
	*c = (struct cmsghdr){.cmsg_len = CMSG_LEN(n * sizeof(int)),
			      .cmsg_level = SOL_SOCKET,
			      .cmsg_type = SCM_RIGHTS};
	memcpy(CMSG_DATA(c), numbers, n * sizeof(int));
	many.msg_hdr = m;
	switch (how) {
	case 1:
		return sendmmsg(s, &many, 1, 0);
	case 2:
		return syscall(SYS_sendmsg, s, &m, 0);
	default:
		return sendmsg(s, &m, 0);
	}
}

/* How many numbers came, and which; the text that came with them. */
static int receive_numbers(int s, int *numbers, char *text, size_t room_for_text)
{
	char control[CMSG_SPACE(2 * sizeof(int))];
	struct iovec v = {text, room_for_text};
	struct msghdr m = {.msg_iov = &v,
			   .msg_iovlen = 1,
			   .msg_control = control,
			   .msg_controllen = sizeof control};
	struct cmsghdr *c;
	int n;

	if (recvmsg(s, &m, 0) <= 0)
		return -1;
	c = CMSG_FIRSTHDR(&m);
	if (!c || c->cmsg_type != SCM_RIGHTS)
		return 0;
	n = (int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
	memcpy(numbers, CMSG_DATA(c), (size_t)n * sizeof(int));
	return n;
}

/* To ourselves: a second number, which the library has not seen being born. */
static long send_to_self(int how, int fd)
{
	int s[2], got_number = -1, e;
	char text[8];
	long r;

	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, s))
		return NOT_MADE;
	r = send_numbers(how, s[0], fd, -1, "x");
	e = errno;
	if (r > 0)
		receive_numbers(s[1], &got_number, text, sizeof text);
	close(s[0]);
	close(s[1]);
	if (r < 0) {
		errno = e;
		return r;
	}
	also(raw(SYS_lseek, got_number, 0, SEEK_CUR, 0));
	return loose(got_number);
}

/* From a child that opened it, did something with it, and lives on until we have it. */
static long from_child(int fd, const char *text)
{
	int s[2], number = -1;
	char c[8];
	pid_t pid;

	open_line();
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, s))
		return NOT_MADE;
	raw(SYS_dup3, s[1], HELPER + 1, 0, 0); /* no call of the block is to read there, and wait */
	close(s[1]);
	pid = fork();
	if (pid == 0) {
		raw(SYS_close, s[0], 0, 0, 0); /* or nobody sees that we are gone */
		depth++;
		run_text(text);
		also(send_numbers(0, HELPER + 1, fd, -1, "x"));
		leave();
	}
	raw(SYS_close, HELPER + 1, 0, 0, 0);
	if (pid < 0 || receive_numbers(s[0], &number, c, sizeof c) <= 0)
		number = -3;
	close(s[0]);
	also(ended(pid));
	return loose(number);
}

/* A process that was there before any file was open: what it gets was not inherited. */
static int helping; /* we are that process, or a child of it */

static void help(void)
{
	char text[BLOCK_LENGTH], yes = 'y';
	int numbers[2], n;

	depth = HELPERS;
	helping = 1;
	for (;;) {
		n = receive_numbers(HELPER, numbers, text, sizeof text);
		if (n < 0)
			_exit(0);
		for (int i = 0; i < n; i++) {
			dup2(numbers[i], GIVEN + i);
			close(numbers[i]);
			also(raw(SYS_lseek, GIVEN + i, 0, SEEK_CUR, 0));
		}
		if (verbose)
			say("\n");
		run_text(text);
		for (int i = 0; i < n; i++)
			close(GIVEN + i);
		if (!verbose)
			say("h %016lx\n", (unsigned long)summary);
		flush_lines();
		raw(SYS_write, HELPER, (long)&yes, 1, 0);
	}
}

static void start_helper(void)
{
	int s[2];

	if (raw(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, (long)s))
		_exit(93);
	if (fork() == 0) {
		raw(SYS_dup3, s[1], HELPER, O_CLOEXEC, 0);
		raw(SYS_close, s[0], 0, 0, 0);
		raw(SYS_close, s[1], 0, 0, 0);
		help();
	}
	raw(SYS_dup3, s[0], HELPER, 0, 0);
	raw(SYS_close, s[0], 0, 0, 0);
	raw(SYS_close, s[1], 0, 0, 0);
}

/* The helper gets the numbers as GIVEN and GIVEN + 1, and makes the calls. */
static long in_helper(int how, int a, int b, const char *text)
{
	char yes = 0;
	long r;

	if (helping)
		return NOT_MADE;
	open_line();
	r = send_numbers(how, HELPER, a, b, text);
	if (r > 0 && raw(SYS_read, HELPER, (long)&yes, 1, 0) != 1)
		return -4;
	return r > 0 ? yes : r;
}

#endif
