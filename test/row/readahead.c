// SPDX-License-Identifier: MIT
// runs: bare on ahead
/* Scans of cold files that are read ahead of (setting "ahead"), while what could be in the way happens. */
#include "test.h"
#include <pthread.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>

enum { BLOCK = 8192, BLOCKS = 256, SIZE = BLOCK * BLOCKS };

static char *path;

/* What is not written back yet cannot be evicted. */
static void write_back(void)
{
	int fd = open(path, O_RDONLY);

	CHECK(fd >= 0);
	CHECK_EQ(fdatasync(fd), 0);
	CHECK_EQ(close(fd), 0);
}

static int open_cold(int flags)
{
	int fd = open(path, flags);

	CHECK(fd >= 0);
	CHECK_EQ(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED), 0);
	return fd;
}

static void check_block(const unsigned char *buf, off_t at, ssize_t n)
{
	for (ssize_t i = 0; i < n; i++)
		CHECK_EQ(buf[i], tmp_byte(at + i));
}

/* Reads block I by lseek and read. */
static void seek_block(int fd, int i)
{
	unsigned char buf[BLOCK];

	CHECK_EQ(lseek(fd, (off_t)i * BLOCK, SEEK_SET), (off_t)i * BLOCK);
	errno = 77;
	CHECK_EQ(read(fd, buf, BLOCK), BLOCK);
	CHECK_EQ(errno, 77);
	check_block(buf, (off_t)i * BLOCK, BLOCK);
	CHECK_EQ(lseek(fd, 0, SEEK_CUR), (off_t)(i + 1) * BLOCK);
}

/* Reads what comes next, in one of three ways. */
static void next_block(int fd, int i)
{
	unsigned char buf[BLOCK];
	struct iovec parts[] = {{buf, 100}, {buf + 100, BLOCK - 100}};
	ssize_t n = i % 3 == 0 ? readv(fd, parts, 2) : read(fd, buf, BLOCK);

	CHECK_EQ(n, BLOCK);
	check_block(buf, (off_t)i * BLOCK, BLOCK);
}

static void place_block(int fd, int i)
{
	unsigned char buf[BLOCK];
	struct iovec part = {buf, BLOCK};
	off_t at = (off_t)i * BLOCK;

	errno = 77;
	CHECK_EQ(i % 2 ? pread(fd, buf, BLOCK, at) : preadv(fd, &part, 1, at), BLOCK);
	CHECK_EQ(errno, 77);
	check_block(buf, at, BLOCK);
}

static void patterns(void)
{
	int fd = open_cold(O_RDONLY);
	unsigned char c;

	for (int i = 0; i < BLOCKS; i++)
		next_block(fd, i);
	CHECK_EQ(read(fd, &c, 1), 0);
	CHECK_EQ(close(fd), 0);
	fd = open_cold(O_RDONLY);
	for (int i = BLOCKS - 1; i >= 0; i--)
		seek_block(fd, i);
	for (int i = 0; i < BLOCKS; i += 7)
		seek_block(fd, i);
	for (int i = 0; i < BLOCKS; i++)
		seek_block(fd, i % 4 * (BLOCKS / 4) + i / 4);
	for (int i = 0; i < BLOCKS; i++)
		seek_block(fd, i * 101 % BLOCKS);
	CHECK_EQ(close(fd), 0);
	fd = open_cold(O_RDONLY);
	for (int i = 0; i < BLOCKS; i++)
		place_block(fd, i);
	for (int i = BLOCKS - 1; i >= 0; i--)
		place_block(fd, i);
	CHECK_EQ(lseek(fd, 0, SEEK_CUR), 0);
	CHECK_EQ(pread(fd, &c, 1, -1), -1);
	CHECK_EQ(errno, EINVAL);
	CHECK_EQ(pread(-1, &c, 1, 0), -1);
	CHECK_EQ(errno, EBADF);
	CHECK_EQ(pread(fd, &c, 1, SIZE), 0);
	CHECK_EQ(close(fd), 0);
}

/* Children, by fork and by exec, in the middle of a scan; each goes on at the same offset. */
static void processes(void)
{
	int fd = open_cold(O_RDONLY), status;
	pid_t child;

	for (int i = 0; i < 20; i++)
		next_block(fd, i);
	child = fork();
	CHECK(child >= 0);
	if (!child) {
		for (int i = 20; i < 60; i++)
			next_block(fd, i);
		_exit(0);
	}
	CHECK_EQ(waitpid(child, &status, 0), child);
	CHECK_EQ(status, 0);
	for (int i = 60; i < 100; i++)
		next_block(fd, i);
	child = vfork();
	if (!child) {
		char word[16];

		snprintf(word, sizeof(word), "%d", fd);
		execl("/bin/sh", "sh", "-c",
		      "dd bs=8192 count=1 <&$1 2>/dev/null | wc -c | grep -q 8192", "sh", word,
		      (char *)NULL);
		_exit(1);
	}
	CHECK_EQ(waitpid(child, &status, 0), child);
	CHECK_EQ(status, 0);
	CHECK_EQ(waitpid(-1, &status, __WALL), -1); /* no child that is not the program's */
	CHECK_EQ(errno, ECHILD);
	for (int i = 101; i < 150; i++)
		next_block(fd, i);
	CHECK_EQ(close(fd), 0);
}

/* Closed in the middle, and its number is another file's; the name is gone; the end comes nearer. */
static void files(void)
{
	char *other = tmp_file(NULL, SIZE);
	int fd = open_cold(O_RDONLY), next;
	unsigned char buf[BLOCK];

	for (int i = 0; i < 30; i++)
		next_block(fd, i);
	CHECK_EQ(close(fd), 0);
	CHECK_EQ(read(fd, buf, 1), -1);
	CHECK_EQ(errno, EBADF);
	next = open(other, O_RDWR);
	CHECK_EQ(next, fd);
	CHECK_EQ(unlink(other), 0);
	for (int i = 0; i < 30; i++)
		next_block(next, i);
	CHECK_EQ(ftruncate(next, 32 * BLOCK + 100), 0);
	for (int i = 30; i < 32; i++)
		next_block(next, i);
	CHECK_EQ(read(next, buf, BLOCK), 100);
	CHECK_EQ(read(next, buf, BLOCK), 0);
	CHECK_EQ(pwrite(next, "x", 1, 40 * BLOCK), 1);
	CHECK_EQ(lseek(next, 0, SEEK_END), 40 * BLOCK + 1);
	for (int i = 31; i >= 0; i--)
		seek_block(next, i);
	CHECK_EQ(close(next), 0);
	free(other);
}

/* No number is free: nothing needs one. */
static void full_table(void)
{
	struct rlimit before, full;
	int fd = open_cold(O_RDONLY);

	CHECK_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
	full = before;
	full.rlim_cur = (rlim_t)fd + 1;
	CHECK_EQ(setrlimit(RLIMIT_NOFILE, &full), 0);
	for (int i = 0; i < 100; i++)
		next_block(fd, i);
	CHECK_EQ(dup(fd), -1);
	CHECK_EQ(errno, EMFILE);
	CHECK_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
	CHECK_EQ(dup(fd), fd + 1);
	CHECK_EQ(close(fd + 1), 0);
	CHECK_EQ(close(fd), 0);
}

static volatile int handled;

static void handler(int sig)
{
	unsigned char c;
	int fd = open(path, O_RDONLY);

	(void)sig;
	for (int i = 0; i < 5; i++)
		CHECK_EQ(read(fd, &c, 1), 1);
	CHECK_EQ(close(fd), 0);
	handled = 1;
}

/* A handler that scans, too, and a child that is stopped now and then. */
static void interrupted(void)
{
	struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
	int fd = open_cold(O_RDONLY), status;
	pid_t child;

	CHECK(signal(SIGALRM, handler) != SIG_ERR);
	CHECK_EQ(setitimer(ITIMER_REAL, &often, NULL), 0);
	for (int turn = 0; turn < 1000 && (turn < 3 || !handled); turn++)
		for (int i = 0; i < BLOCKS; i++)
			seek_block(fd, i);
	CHECK_EQ(setitimer(ITIMER_REAL, &never, NULL), 0);
	CHECK(handled);
	child = fork();
	CHECK(child >= 0);
	if (!child) {
		int own = open_cold(O_RDONLY);

		for (int i = 0; i < BLOCKS; i++)
			next_block(own, i);
		_exit(0);
	}
	for (int i = 0; i < 5; i++) {
		kill(child, SIGSTOP);
		usleep(200);
		kill(child, SIGCONT);
	}
	CHECK_EQ(waitpid(child, &status, 0), child);
	CHECK_EQ(status, 0);
	CHECK_EQ(close(fd), 0);
}

static void *scan_for_ever(void *unused)
{
	int fd = open_cold(O_RDONLY);
	unsigned char buf[BLOCK];

	for (;;)
		for (int i = 0; i < BLOCKS; i++)
			CHECK_EQ(pread(fd, buf, BLOCK, (off_t)i * BLOCK), BLOCK);
	return unused;
}
static void *scan_once(void *arg)
{
	int fd = *(int *)arg;

	for (int i = 0; i < BLOCKS; i++)
		place_block(fd, i);
	return NULL;
}

/* Threads that scan one description, and one that is cancelled. */
static void threads(void)
{
	int fd = open_cold(O_RDONLY);
	pthread_t a, b;
	void *result;

	for (int turn = 0; turn < 20; turn++) {
		CHECK_EQ(pthread_create(&a, NULL, scan_for_ever, NULL), 0);
		usleep(1000);
		CHECK_EQ(pthread_cancel(a), 0);
		CHECK_EQ(pthread_join(a, &result), 0);
		CHECK(result == PTHREAD_CANCELED);
	}
	CHECK_EQ(pthread_create(&a, NULL, scan_once, &fd), 0);
	CHECK_EQ(pthread_create(&b, NULL, scan_once, &fd), 0);
	CHECK_EQ(pthread_join(a, NULL), 0);
	CHECK_EQ(pthread_join(b, NULL), 0);
	for (int i = 0; i < BLOCKS; i++)
		next_block(fd, i);
	CHECK_EQ(close(fd), 0);
}

int main(void)
{
	path = tmp_file(NULL, SIZE);
	write_back();
	patterns();
	processes();
	files();
	full_table();
	interrupted();
	threads();
	return 0;
}
