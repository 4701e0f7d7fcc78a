/* SPDX-License-Identifier: MIT */
/*
 * edges PATH PART...: prints what seeks, reads and writes do at the edges of a file system or a
 * device: its largest offset, the end, holes, O_APPEND, O_DIRECT, RLIMIT_FSIZE, no space left.
 * Nothing printed depends on when the kernel writes pages, so that bare and preloaded must
 * print the same.  EDGES_TAKEN=yes or no: with the library on, it must have taken an offset, or
 * none.
 *
 *   test/real/fs.sh runs it on each file system
 */
#include "test.h"
#include <limits.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#define MAYBE static inline TEST_UNUSED
#include "race/raw.h"

enum { NOBODYS = 7777, ROOM = 16384, SIZE = 5000 };

static const char *path;
static char page[ROOM] __attribute__((aligned(4096)));

/* ---- calls that say what they did ---- */

static long said(const char *call, long a, long b, long r)
{
	int e = errno;

	printf("  %s(%ld, %ld) = %ld", call, a, b, r);
	if (r == -1)
		printf(" errno %d", e);
	else if (e != NOBODYS)
		printf(" ERRNO BECAME %d", e);
	putchar('\n');
	return r;
}
#define SAID(call, a, b, r) (errno = NOBODYS, said(call, (long)(a), (long)(b), (long)(r)))

static long seek(int fd, off_t to, int whence)
{
	return SAID("lseek", to, whence, lseek(fd, to, whence));
}

static void get(int fd, size_t n)
{
	unsigned sum = 0;
	long r;

	memset(page, 0, sizeof page);
	r = SAID("read", n, 0, read(fd, page, n));
	for (long i = 0; i < r; i++)
		sum = sum * 31 + (unsigned char)page[i];
	printf("    sum %08x\n", sum);
	seek(fd, 0, SEEK_CUR);
}

/* With what is to lie at this offset. */
static void fill(off_t at)
{
	for (int i = 0; i < ROOM; i++)
		page[i] = (char)tmp_byte(at + i);
}

static void put(int fd, size_t n)
{
	fill(0);
	SAID("write", n, 0, write(fd, page, n));
	seek(fd, 0, SEEK_CUR);
}

static void put_two(int fd, size_t n, size_t m)
{
	struct iovec v[2] = {{page, n}, {page + n, m}};

	fill(0);
	SAID("writev", n, m, writev(fd, v, 2));
	seek(fd, 0, SEEK_CUR);
}

/* What a process sees that the description is handed to: the kernel's own offset. */
static long kernels(int fd)
{
	int ends[2], status;
	long at = 0;
	pid_t pid;

	fflush(stdout);
	CHECK(pipe(ends) == 0 && (pid = fork()) >= 0);
	if (pid == 0) {
		at = raw(SYS_lseek, fd, 0, SEEK_CUR, 0, 0);
		_exit(write(ends[1], &at, sizeof at) != sizeof at);
	}
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	CHECK(read(ends[0], &at, sizeof at) == sizeof at);
	CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
	return at;
}

/* Out of the library's hands: the kernel must be where the program was. */
static void end(int fd)
{
	printf("  the kernel is at %ld\n", kernels(fd));
	SAID("close", 0, 0, close(fd));
}

/* By bare calls: the library has no history with the file. */
static int bare_open(int flags)
{
	int fd = (int)raw(SYS_openat, AT_FDCWD, (long)path, flags | O_CLOEXEC, 0600, 0);

	CHECK(fd >= 0);
	return fd;
}

static void make_file(size_t size)
{
	int fd = bare_open(O_RDWR | O_CREAT | O_TRUNC);

	fill(0);
	CHECK(raw(SYS_write, fd, (long)page, (long)size, 0, 0) == (long)size);
	raw(SYS_close, fd, 0, 0, 0, 0);
}

static int open_it(int flags)
{
	int fd = open(path, flags | O_CLOEXEC);

	printf("  open(0%o): %s\n", (unsigned)flags, fd < 0 ? strerror(errno) : "yes");
	return fd;
}

/* Two places and a read: if ever the library takes the offset, it has. */
static void hold(int fd, off_t at)
{
	seek(fd, at / 2, SEEK_SET);
	seek(fd, at, SEEK_SET);
	get(fd, 4);
}

/* ---- the largest offset ---- */

static off_t largest(void)
{
	int fd = bare_open(O_RDWR);
	off_t good = 0, most = LONG_MAX;

	while (good < most) { /* between what is taken and what is not */
		off_t middle = good + (most - good) / 2 + (most - good) % 2;

		if (raw(SYS_lseek, fd, middle, SEEK_SET, 0, 0) == middle)
			good = middle;
		else
			most = middle - 1;
	}
	raw(SYS_close, fd, 0, 0, 0, 0);
	return good;
}

static void at_limit(int fd, off_t to)
{
	CHECK(ftruncate(fd, SIZE) == 0);
	seek(fd, to, SEEK_SET);
	seek(fd, 0, SEEK_CUR);
	put(fd, 3);
	get(fd, 3);
	seek(fd, 10, SEEK_CUR);
	seek(fd, 0, SEEK_END);
	CHECK(ftruncate(fd, SIZE) == 0);
	seek(fd, to - SIZE, SEEK_END);
	put_two(fd, 2, 9000);
	seek(fd, -4, SEEK_CUR);
	get(fd, 9000);
	seek(fd, to, SEEK_SET);
	seek(fd, to - 100, SEEK_SET);
	seek(fd, 99, SEEK_CUR);
	seek(fd, 1, SEEK_CUR);
	seek(fd, 1, SEEK_CUR);
	get(fd, 8192);
}

/* Past LONG_MAX it is negative. */
static off_t past(off_t from, long by)
{
	return (off_t)((uint64_t)from + (uint64_t)by);
}

/* An old description has learnt what the kernel accepts; each new one is handed over at its
 * end. */
static void limits(void)
{
	static const long near[] = {-8192, -4097, -4096, -4095, -5, -4, -3, -2, -1, 0, 1, 4096};
	off_t edges[4] = {0, 0x7fffffff, 0xffffffff, SIZE};
	int fd, fresh;

	make_file(SIZE);
	edges[0] = largest();
	printf("  the largest offset is %ld\n", (long)edges[0]);
	fd = open_it(O_RDWR);
	for (int i = 0; i < 8; i++)
		for (size_t k = 0; k < sizeof near / sizeof *near; k++) {
			off_t to = past(edges[i % 4], near[k]);

			printf("  -- %ld\n", (long)to);
			if (i < 4) {
				at_limit(fd, to);
				continue;
			}
			fresh = open_it(O_RDWR);
			at_limit(fresh, to);
			end(fresh);
		}
	end(fd);
}

/* ---- the end, also of what cannot grow ---- */

static void ends(void)
{
	static const long from_end[] = {-100, -10, -1, 0, 1, 10, 5000, 0x80000000, LONG_MAX};
	int fd, flags = access(path, W_OK) == 0 ? O_RDWR : O_RDONLY;
	off_t size;

	fd = open_it(flags);
	size = seek(fd, 0, SEEK_END);
	for (size_t i = 0; i < sizeof from_end / sizeof *from_end; i++) {
		seek(fd, from_end[i], SEEK_END);
		get(fd, 100);
		seek(fd, past(size, from_end[i]), SEEK_SET);
		if (flags == O_RDWR && from_end[i] < 1) {
			put(fd, 5);
			put_two(fd, 3, 200);
			put(fd, 5);
		}
		get(fd, 100);
		hold(fd, 100);
		seek(fd, past(size, from_end[i] - 104), SEEK_CUR);
		get(fd, 4096);
		seek(fd, -size - 1, SEEK_END);
		seek(fd, -size, SEEK_END);
		get(fd, 10);
	}
	for (int whence = -1; whence < 7; whence++)
		seek(fd, 10, whence);
	end(fd);
}

/* ---- holes ---- */

static void make_holes(void)
{
	static const off_t data[] = {0, 300000, 1 << 20, (1 << 20) + 4096};
	int fd;

	make_file(SIZE);
	fd = bare_open(O_RDWR);
	for (size_t i = 0; i < sizeof data / sizeof *data; i++)
		CHECK(raw(SYS_pwrite64, fd, (long)page, 4096, data[i], 0) == 4096);
	CHECK(raw(SYS_ftruncate, fd, 3 << 20, 0, 0, 0) == 0);
	CHECK(raw(SYS_fsync, fd, 0, 0, 0, 0) == 0);
	raw(SYS_close, fd, 0, 0, 0, 0);
}

/* Of the file as it is: on a read-only file system there is one. */
static void look_for_holes(void)
{
	static const off_t from[] = {
		0,	 1,	  4095,	    4096,	8192,	 200000,
		300000,	 1 << 20, 1040384,  1052672,	2 << 20, (3 << 20) - 1,
		3145728, 3145729, LONG_MAX, 0x7fffffff, -1};
	int fd = open_it(O_RDONLY);

	for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
		hold(fd, 100);
		seek(fd, from[i], SEEK_DATA);
		get(fd, 8);
		seek(fd, from[i], SEEK_HOLE);
		get(fd, 8);
		seek(fd, 0, SEEK_CUR);
	}
	end(fd);
}

static void holes(void)
{
	make_holes();
	look_for_holes();
}

/* ---- flags ---- */

static void append(void)
{
	int fd, other = open_it(O_WRONLY);

	fd = open_it(O_RDWR | O_APPEND);
	hold(fd, 1000);
	put(fd, 10);
	get(fd, 10);
	seek(fd, 1000, SEEK_SET);
	put_two(fd, 10, 5000);
	SAID("pwrite", 10, 0, pwrite(other, page, 10, 2000000));
	seek(fd, 1000, SEEK_SET);
	put(fd, 10);
	seek(fd, 0, SEEK_END);
	SAID("F_SETFL", 0, 0, fcntl(fd, F_SETFL, 0));
	hold(fd, 1000);
	put(fd, 10);
	SAID("F_SETFL", O_APPEND, 0, fcntl(fd, F_SETFL, O_APPEND));
	put(fd, 10);
	get(fd, 10);
	end(fd);
	end(other);
}

static void direct(void)
{
	static const struct {
		off_t at;
		size_t skip, n;
	} tries[] = {{0, 0, 4096},   {4096, 0, 4096},  {512, 0, 512},  {1024, 0, 1024},
		     {512, 0, 4096}, {100, 0, 512},    {0, 0, 100},    {0, 1, 512},
		     {0, 4, 512},    {4096, 512, 512}, {8192, 0, 8192}};
	int fd = open_it(O_RDWR | O_DIRECT);

	if (fd < 0)
		return;
	for (int turn = 0; turn < 3; turn++)
		for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
			seek(fd, tries[i].at, SEEK_SET);
			fill(0);
			if (turn == 1)
				SAID("write", tries[i].n, tries[i].skip,
				     write(fd, page + tries[i].skip, tries[i].n));
			else
				SAID("read", tries[i].n, tries[i].skip,
				     read(fd, page + tries[i].skip, tries[i].n));
			seek(fd, 0, SEEK_CUR);
			seek(fd, 0, SEEK_END);
		}
	end(fd);
}

/* ---- limits of the process, no space ---- */

static volatile int signals;

static void on_limit(int sig)
{
	(void)sig;
	signals++;
}

static void rlimit(void)
{
	struct rlimit was, is;
	int fd = open_it(O_RDWR);

	signal(SIGXFSZ, on_limit);
	CHECK(getrlimit(RLIMIT_FSIZE, &was) == 0);
	is = was;
	for (rlim_t limit = 3000; limit <= 9000; limit += 3000) {
		is.rlim_cur = limit;
		fflush(stdout);
		CHECK(setrlimit(RLIMIT_FSIZE, &is) == 0);
		for (long from = -10; from <= 10; from += 5) {
			hold(fd, 100);
			seek(fd, (off_t)limit + from, SEEK_SET);
			put(fd, 7);
			put_two(fd, 3, 4096);
			put(fd, 0);
			put(fd, 1);
			get(fd, 10);
			printf("  %d signals\n", signals);
		}
		CHECK(setrlimit(RLIMIT_FSIZE, &was) == 0);
	}
	put(fd, 10);
	end(fd);
	signal(SIGXFSZ, SIG_DFL);
}

/* Takes what space there is, but for about `left` bytes. */
static void fill_up(const char *filler, off_t left)
{
	int fd = (int)raw(SYS_openat, AT_FDCWD, (long)filler, O_RDWR | O_CREAT, 0600, 0);
	off_t size = 0;

	CHECK(fd >= 0);
	for (off_t n = 1L << 30; n >= 4096; n /= 2)
		while (!raw(SYS_fallocate, fd, 0, size, n, 0))
			size += n;
	if (errno == EOPNOTSUPP || errno == ENOSYS)
		while (raw(SYS_pwrite64, fd, (long)page, ROOM, size, 0) > 0)
			size += ROOM;
	CHECK(errno == ENOSPC && size > left && !raw(SYS_ftruncate, fd, size - left, 0, 0, 0));
	raw(SYS_fsync, fd, 0, 0, 0, 0);
	raw(SYS_close, fd, 0, 0, 0, 0);
}

/* Writes until there is no space: how much there is, is the file system's affair; that the
 * offset has gone where the results say is ours. */
static off_t write_all(int fd, off_t at, bool two)
{
	struct iovec v[2] = {{page, 1000}, {page + 1000, ROOM - 1000}};
	long r;

	for (int i = 0; i < 10000; i++) {
		fill(at);
		errno = NOBODYS;
		r = two ? writev(fd, v, 2) : write(fd, page, ROOM);
		if (r < 0)
			break;
		CHECK_EQ(errno, NOBODYS);
		at += r;
		CHECK_EQ(lseek(fd, 0, SEEK_CUR), at);
	}
	CHECK_EQ(r, -1);
	CHECK_EQ(errno, ENOSPC);
	CHECK_EQ(lseek(fd, 0, SEEK_CUR), at);
	return at;
}

static void full_by(const char *filler, int flags, bool two)
{
	enum { START = 100, LEFT = 300000 };
	int fd, bare;
	off_t at;

	make_file(SIZE);
	fill_up(filler, LEFT);
	fd = open_it(O_RDWR | flags);
	bare = bare_open(O_RDONLY);
	hold(fd, START);
	at = write_all(fd, flags ? SIZE : START + 4, two);
	CHECK_EQ(raw(SYS_lseek, bare, 0, SEEK_END, 0, 0), at);
	CHECK_EQ(lseek(fd, 0, SEEK_END), at);
	CHECK(raw(SYS_pread64, bare, (long)page, 9, at - 9, 0) == 9);
	for (int i = 0; i < 9; i++)
		CHECK_EQ((unsigned char)page[i], tmp_byte(at - 9 + i));
	CHECK_EQ(kernels(fd), at);
	raw(SYS_close, bare, 0, 0, 0, 0);
	CHECK(close(fd) == 0 && unlink(filler) == 0 && unlink(path) == 0);
	printf("  no space left, and every offset as the results say\n");
}

static void full(void)
{
	char filler[PATH_MAX];

	snprintf(filler, sizeof filler, "%s.filler", path);
	full_by(filler, 0, false);
	full_by(filler, 0, true);
	full_by(filler, O_APPEND, false);
}

/* ---- overlay: PATH is in the lower layer until somebody opens it for writing ---- */

static void copy_up(void)
{
	int reader = open_it(O_RDONLY), writer;

	hold(reader, 100);
	seek(reader, 0, SEEK_END);
	seek(reader, 100, SEEK_SET);
	writer = open_it(O_RDWR);
	get(reader, 10);
	seek(writer, -10, SEEK_END);
	put(writer, 1000);
	seek(reader, -20, SEEK_END);
	get(reader, 100);
	hold(writer, 200);
	put(writer, 10);
	hold(reader, 200);
	get(reader, 10);
	CHECK(ftruncate(writer, 150) == 0);
	get(reader, 10);
	seek(reader, 0, SEEK_END);
	seek(writer, 0, SEEK_END);
	end(reader);
	end(writer);
}

/* ---- */

static const struct part {
	const char *name;
	void (*run)(void);
} parts[] = {
	{"limits", limits},	  {"ends", ends},     {"holes", holes},
	{"look", look_for_holes}, {"append", append}, {"direct", direct},
	{"rlimit", rlimit},	  {"full", full},     {"copy-up", copy_up},
};

static void run_part(const char *name)
{
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (!strcmp(parts[i].name, name)) {
			printf("%s\n", name);
			parts[i].run();
			return;
		}
	fprintf(stderr, "no part %s\n", name);
	exit(2);
}

int main(int argc, char **argv)
{
	const char *taken = getenv("EDGES_TAKEN");

	if (argc < 3)
		return 2;
	path = argv[1];
	for (int i = 2; i < argc; i++)
		run_part(argv[i]);
	if (taken && shim_is_on()) {
		long long takes = counter("take");

		fprintf(stderr, "%lld offsets taken\n", takes);
		CHECK((takes > 0) == !strcmp(taken, "yes"));
	}
	return 0;
}
