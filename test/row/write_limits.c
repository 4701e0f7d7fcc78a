/* SPDX-License-Identifier: MIT */
/* No row of the table: RLIMIT_FSIZE with its signal, and the largest size of a file. */
#include "row.h"
#include <sys/resource.h>

static volatile int signals;

static void on_limit(int sig)
{
	CHECK(sig == SIGXFSZ);
	signals++;
}

static void row(void)
{
	char b[100];
	struct iovec v[2] = {{b, 10}, {b + 10, 10}};
	struct rlimit l, was;
	int fd, twin, st;
	off_t most = LONG_MAX;
	pid_t pid;

	make_file("a", 900);
	fd = open("a", O_RDWR);
	hold(fd, 100);
	signal(SIGXFSZ, on_limit);
	CHECK(!getrlimit(RLIMIT_FSIZE, &was));
	l = was;
	l.rlim_cur = 1000;
	CHECK(!setrlimit(RLIMIT_FSIZE, &l));
	fill(b, 0, sizeof b);
	GIVES(lseek(fd, 990, SEEK_SET), 990);
	GIVES(lseek(fd, 0, SEEK_CUR), 990);
	GIVES(write(fd, b, 20), 10); /* up to the limit, and no signal */
	CHECK(signals == 0);
	AT(fd, 1000);
	FAILS(write(fd, b, 20), EFBIG);
	CHECK(signals == 1);
	FAILS(writev(fd, v, 2), EFBIG);
	CHECK(signals == 2);
	GIVES(write(fd, b, 0), 0);
	AT(fd, 1000);
	GIVES(lseek(fd, 995, SEEK_SET), 995);
	GIVES(writev(fd, v, 2), 5);
	AT(fd, 1000);
	FAILS(ftruncate(fd, 1001), EFBIG);
	CHECK(signals == 3 && size_of("a") == 1000);
	hold(fd, 200);
	pid = fork();
	if (pid == 0) { /* by default it kills */
		signal(SIGXFSZ, SIG_DFL);
		fd = open("a", O_RDWR);
		hold(fd, 300);
		GIVES(lseek(fd, 5000, SEEK_SET), 5000);
		if (write(fd, b, 1))
			_exit(0);
	}
	CHECK(waitpid(pid, &st, 0) == pid && WIFSIGNALED(st) && WTERMSIG(st) == SIGXFSZ);
	AT(fd, 204);
	CHECK(!setrlimit(RLIMIT_FSIZE, &was));

	/* the largest offset there is here: a few bytes before it, at it, and behind it */
	GIVES(close(fd), 0);
	fd = held("b", 100);
	twin = twin_of("b", O_RDWR);
	for (off_t good = 0; good < most;) { /* between what is taken and what is not */
		off_t middle = good + (most - good) / 2 + (most - good) % 2;

		if (RAW(SYS_lseek, twin, middle, SEEK_SET) == middle)
			good = middle;
		else
			most = middle - 1;
	}
	for (int i = -5; i < 2; i++) { /* past LONG_MAX it is negative */
		off_t o = (off_t)((uint64_t)most + (uint64_t)i);

		SAME(lseek(fd, o, SEEK_SET), RAW(SYS_lseek, twin, o, SEEK_SET));
		SAME(write(fd, b, 3), RAW(SYS_write, twin, b, 3));
		SAME(read(fd, b, 3), RAW(SYS_read, twin, b, 3));
		SAME(lseek(fd, 0, SEEK_CUR), kernel_offset(twin));
		SAME(lseek(fd, 10, SEEK_CUR), RAW(SYS_lseek, twin, 10, SEEK_CUR));
	}
	signal(SIGXFSZ, SIG_DFL);
	hold(fd, 100);
	child_receives(fd, 104);
}
