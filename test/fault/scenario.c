/* SPDX-License-Identifier: MIT */
/*
 * scenario FILE: uses the file of 64 KiB in every way that concerns its offset, and prints what each call
 * gave.  Nothing printed depends on who makes the calls, or on when, so that a run with a fault in it
 * must print the same bare and preloaded.  It goes on whatever fails.
 */
#include "fault/say.h"
#include <spawn.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>

enum { ROOM = 8192 };

static char page[ROOM];
static char *volatile bad = (char *)8;
static const char *path, *self;

static void sum(long n)
{
	unsigned s = 0;

	for (long i = 0; i < n && i < ROOM; i++)
		s = s * 31 + (unsigned char)page[i];
	SAY("    sum %08x\n", s);
	memset(page, 0, sizeof(page));
}

static void tell(int fd)
{
	SAID(lseek(fd, 0, SEEK_CUR));
}

static void fill(int seed)
{
	for (int i = 0; i < ROOM; i++)
		page[i] = (char)tmp_byte(seed + 7 * i);
}

static void reads(int fd)
{
	struct iovec v[3] = {{page, 100}, {page + 100, 0}, {page + 100, 3000}};

	SAID(lseek(fd, 5000, SEEK_SET));
	sum(SAID(read(fd, page, 1000)));
	tell(fd);
	SAID(lseek(fd, -500, SEEK_CUR));
	sum(SAID(readv(fd, v, 3)));
	tell(fd);
	sum(SAID(preadv2(fd, v, 3, -1, 0)));
	tell(fd);
	SAID(read(fd, page, 0));
	SAID(read(fd, bad, 100));
	tell(fd);
	SAID(lseek(fd, -100, SEEK_END));
	sum(SAID(read(fd, page, 1000)));
	sum(SAID(read(fd, page, 1000)));
	tell(fd);
}

static void writes(int fd)
{
	struct iovec v[2] = {{page, 700}, {page + 700, 900}};

	fill(1);
	SAID(lseek(fd, 20000, SEEK_SET));
	SAID(write(fd, page, 5000));
	tell(fd);
	SAID(writev(fd, v, 2));
	tell(fd);
	SAID(lseek(fd, 100, SEEK_CUR));
	SAID(pwritev2(fd, v, 2, -1, 0));
	tell(fd);
	SAID(write(fd, bad, 100));
	SAID(write(fd, page, 0));
	tell(fd);
	SAID(lseek(fd, 100, SEEK_END)); /* a hole, then the end moves */
	SAID(write(fd, page, 300));
	tell(fd);
	SAID(lseek(fd, 20000, SEEK_SET));
	sum(SAID(read(fd, page, 8000)));
}

static void appends(int fd)
{
	struct iovec v[2] = {{page, 70}, {page + 70, 90}};

	fill(2);
	SAID(lseek(fd, 1000, SEEK_SET));
	SAID(lseek(fd, 2000, SEEK_SET));
	SAID(write(fd, page, 500));
	tell(fd);
	sum(SAID(read(fd, page, 100)));
	fill(3);
	SAID(lseek(fd, 3000, SEEK_SET));
	SAID(writev(fd, v, 2));
	tell(fd);
	SAID(lseek(fd, 3000, SEEK_SET));
	sum(SAID(read(fd, page, 100)));
	tell(fd);
}

static void toggles(int fd)
{
	fill(4);
	SAID(lseek(fd, 4000, SEEK_SET));
	SAID(fcntl(fd, F_SETFL, O_APPEND));
	SAID(write(fd, page, 10));
	tell(fd);
	SAID(lseek(fd, 4100, SEEK_SET));
	SAID(fcntl(fd, F_SETFL, 0));
	SAID(write(fd, page, 10));
	tell(fd);
}

static void duplicates(int fd)
{
	int twin = dup(fd);

	SAID(lseek(fd, 6000, SEEK_SET));
	sum(SAID(read(twin, page, 100)));
	tell(fd);
	SAID(dup2(fd, twin));
	fill(5);
	SAID(write(twin, page, 100));
	tell(fd);
	SAID(close(twin));
	sum(SAID(read(fd, page, 100)));
	tell(fd);
}

/* A second file, so that one transfer is counted once. */
static void copies(int fd)
{
	int ends[2], other = memfd_create("other", MFD_CLOEXEC);
	struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_CUR, .l_len = 10};

	CHECK(other >= 0 && pipe2(ends, O_CLOEXEC) == 0);
	SAID(lseek(fd, 7000, SEEK_SET));
	sum(SAID(read(fd, page, 10)));
	SAID(sendfile(other, fd, NULL, 1000));
	tell(fd);
	SAID(lseek(fd, 7500, SEEK_SET));
	SAID(splice(fd, NULL, ends[1], NULL, 500, 0));
	tell(fd);
	SAID(lseek(fd, 8000, SEEK_SET));
	SAID(fcntl(fd, F_SETLK, &lock));
	sum(SAID(read(fd, page, 10)));
	SAID(lseek(other, 0, SEEK_SET));
	sum(SAID(read(other, page, 1000)));
	SAID(close(other));
	SAID(close(ends[0]));
	SAID(close(ends[1]));
}

static void waits(pid_t pid)
{
	int status = -1;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	SAY("child: %#x\n", status);
}

static void received(int fd)
{
	SAY("the kernel is at %ld\n", bare_syscall(SYS_lseek, fd, 0, SEEK_CUR, 0, 0, 0));
	sum(SAID(read(fd, page, 40)));
	tell(fd);
}

static void forks(int fd)
{
	pid_t pid;

	SAID(lseek(fd, 9000, SEEK_SET));
	sum(SAID(read(fd, page, 10)));
	pid = fork();
	if (pid == 0) {
		received(fd);
		_exit(0);
	}
	waits(pid);
	tell(fd);
	sum(SAID(read(fd, page, 10)));
}

static void spawns(int fd)
{
	char number[20];
	char *const argv[] = {(char *)self, (char *)path, number, NULL};
	pid_t pid = -1;
	int r;

	SAID(lseek(fd, 10000, SEEK_SET));
	sum(SAID(read(fd, page, 10)));
	snprintf(number, sizeof(number), "%d", fd);
	errno = NOBODYS;
	r = posix_spawn(&pid, self, NULL, NULL, argv, environ);
	waits(pid); /* it prints, and so nobody else */
	gave("posix_spawn", r);
	tell(fd);
	SAID(lseek(fd, 10500, SEEK_SET));
	sum(SAID(read(fd, page, 10)));
	pid = vfork();
	if (pid == 0) {
		execv(self, argv);
		_exit(99);
	}
	waits(pid);
	tell(fd);
}

static void sends(int fd)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} c = {{.cmsg_len = CMSG_LEN(sizeof(int)),
		.cmsg_level = SOL_SOCKET,
		.cmsg_type = SCM_RIGHTS}};
	char byte = 0;
	struct iovec v = {&byte, 1};
	struct msghdr m = {
		.msg_iov = &v, .msg_iovlen = 1, .msg_control = &c, .msg_controllen = sizeof(c)};
	int ends[2], got = -1;

	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	memcpy(CMSG_DATA(&c.head), &fd, sizeof(fd));
	SAID(lseek(fd, 11000, SEEK_SET));
	sum(SAID(read(fd, page, 10)));
	SAID(sendmsg(ends[0], &m, 0));
	SAID(recvmsg(ends[1], &m, 0));
	memcpy(&got, CMSG_DATA(&c.head), sizeof(got));
	received(got);
	tell(fd);
	sum(SAID(read(fd, page, 10)));
	SAID(close(got));
	SAID(close(ends[0]));
	SAID(close(ends[1]));
}

static void streams(int fd)
{
	FILE *f;

	SAID(lseek(fd, 12000, SEEK_SET));
	sum(SAID(read(fd, page, 10)));
	f = fdopen(fd, "r+");
	if (!f)
		return;
	sum(GAVE(fread(page, 1, 100, f)));
	GAVE(fseek(f, 13000, SEEK_SET));
	fill(6);
	GAVE(fwrite(page, 1, 200, f));
	GAVE(fflush(f));
	GAVE(ftell(f));
	GAVE(fclose(f));
}

static int handled = -1;
static void handler(int sig)
{
	(void)sig;
	SAID(write(handled, "handler", 7));
	tell(handled);
}
static void handlers(int fd)
{
	handled = fd;
	signal(SIGUSR2, handler);
	SAID(lseek(fd, 14000, SEEK_SET));
	sum(SAID(read(fd, page, 10)));
	raise(SIGUSR2);
	sum(SAID(read(fd, page, 10)));
	tell(fd);
}

/* The library's report, where it is there, is made in the middle of it all. */
static void reports(int fd)
{
	long kernels[20] = {0}; /* what sigaction does not show */

	SAID(lseek(fd, 15000, SEEK_SET));
	SAID(lseek(fd, 16000, SEEK_SET));
	if (!bare_syscall(SYS_rt_sigaction, SIGUSR1, 0, (long)kernels, 8, 0, 0) && kernels[0])
		raise(SIGUSR1);
	sum(SAID(read(fd, page, 10)));
	tell(fd);
}

/* More than the library has room for at its start. */
static void many(void)
{
	enum { MANY = 20 };
	int fd[MANY];

	for (int i = 0; i < MANY; i++) {
		fd[i] = open(path, O_RDWR | O_CLOEXEC);
		lseek(fd[i], 50, SEEK_SET);
		lseek(fd[i], 100 + i, SEEK_SET);
	}
	for (int i = 0; i < MANY; i++) {
		if (i % 7 == 0)
			sum(SAID(read(fd[i], page, 10)));
		tell(fd[i]);
		SAID(close(fd[i]));
	}
}

static void part(void (*use)(int), int flags)
{
	int fd = open(path, flags | O_CLOEXEC);

	if (SAID(fd) < 0)
		return;
	SAID(lseek(fd, 1, SEEK_SET));
	SAID(lseek(fd, 2, SEEK_SET));
	use(fd);
	tell(fd);
	if (use != streams)
		SAID(close(fd));
}

static void inheritable(int fd)
{
	SAID(fcntl(fd, F_SETFD, 0));
	spawns(fd);
}

int main(int argc, char **argv)
{
	CHECK(argc >= 2);
	path = argv[1];
	self = "/proc/self/exe";
	if (argc > 2) {
		received(atoi(argv[2]));
		return 0;
	}
	part(reads, O_RDONLY);
	part(writes, O_RDWR);
	part(appends, O_RDWR | O_APPEND);
	part(toggles, O_RDWR);
	part(duplicates, O_RDWR);
	part(copies, O_RDWR);
	part(forks, O_RDWR);
	part(inheritable, O_RDWR);
	part(sends, O_RDWR);
	part(streams, O_RDWR);
	part(handlers, O_RDWR);
	part(reports, O_RDWR);
	many();
	return 0;
}
