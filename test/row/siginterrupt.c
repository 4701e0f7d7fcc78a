/* SPDX-License-Identifier: MIT */
#define ROW_COUNTS_LOST
#include "signals.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Until this thread waits in the kernel; how long a loaded machine takes nobody knows. */
static void until_it_waits(pid_t tid)
{
	char path[40], text[200], *end;
	int fd, n;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)tid);
	do {
		usleep(5000);
		fd = (open)(path, O_RDONLY);
		n = (int)(read)(fd, text, sizeof text - 1);
		(close)(fd);
		CHECK(n > 0);
		text[n] = 0;
		end = strrchr(text, ')');
	} while (end && end[2] != 'S');
}

/* A read that the signal finds waiting: restarted, or not. */
static long read_meets_signal(void)
{
	char b[4];
	int p[2];
	pid_t pid, target = gettid();
	long n;

	CHECK(!pipe(p));
	pid = fork();
	if (pid == 0) {
		until_it_waits(target);
		syscall(SYS_tgkill, getppid(), target, SIGUSR1);
		until_it_waits(target); /* again, or by now for us */
		_exit((write)(p[1], "go", 2) != 2);
	}
	errno = 0;
	n = read(p[0], b, 4);
	n = n < 0 ? -errno : n;
	ends(pid, 0);
	close(p[0]);
	close(p[1]);
	return n;
}

static void row(void)
{
	int fd = held("a", 100);

	is_untouched();
	for (int on = 1; on >= 0;
	     on--) { /* the action stays the default, and is the program's own */
		pid_t pid = fork();

		if (pid == 0) {
			GIVES(siginterrupt(SIGUSR1, on), 0);
			CHECK(action_now().sa_handler == SIG_DFL);
			CHECK((action_now().sa_flags & ~0x04000000) == (on ? 0 : SA_RESTART));
			kills();
			_exit(0);
		}
		ends(pid, 0);
	}
	is_untouched();
	GIVES(siginterrupt(SIGUSR1, 1), 0);
	CHECK(action_now().sa_handler == SIG_DFL);
	CHECK(signal(SIGUSR1, on_signal) == SIG_DFL); /* and the wish is remembered for signal() */
	CHECK(!(action_now().sa_flags & SA_RESTART));
	is_ours(fd, 2);
	CHECK(read_meets_signal() == -EINTR);
	GIVES(siginterrupt(SIGUSR1, 0), 0);
	CHECK(action_now().sa_handler == on_signal && (action_now().sa_flags & SA_RESTART));
	CHECK(read_meets_signal() == 2);
	FAILS(siginterrupt(SIGKILL, 1), EINVAL);
	FAILS(siginterrupt(0, 1), EINVAL);
	fd = held("b", 100);
	is_ours(fd, 2);
}
