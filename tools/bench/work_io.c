/* SPDX-License-Identifier: MIT */
/* Seeks, and transfers after a seek. */
#include "worker.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* ---- pairs ---- */

static void seek_to(struct task *t, off_t place)
{
	must(lseek(t->fd, place, SEEK_SET) == place, "lseek");
}

static void pair_read(struct task *t, long n)
{
	while (n--) {
		seek_to(t, random_place(&t->random, t));
		must(read(t->fd, t->buffer, t->size) == (ssize_t)t->size, "read");
	}
}
static void positioned_read(struct task *t, long n)
{
	while (n--) {
		off_t place = random_place(&t->random, t);

		must(pread(t->fd, t->buffer, t->size, place) == (ssize_t)t->size, "pread");
	}
}

static void pair_write(struct task *t, long n)
{
	while (n--) {
		seek_to(t, random_place(&t->random, t));
		must(write(t->fd, t->buffer, t->size) == (ssize_t)t->size, "write");
	}
}
static void positioned_write(struct task *t, long n)
{
	while (n--) {
		off_t place = random_place(&t->random, t);

		must(pwrite(t->fd, t->buffer, t->size, place) == (ssize_t)t->size, "pwrite");
	}
}

/* The place after the last one: a program that seeks before each read although it need not. */
static off_t next_place(struct task *t)
{
	if (++t->random >= t->blocks)
		t->random = 0;
	return (off_t)(t->random * t->size);
}

static void pair_read_in_order(struct task *t, long n)
{
	while (n--) {
		seek_to(t, next_place(t));
		must(read(t->fd, t->buffer, t->size) == (ssize_t)t->size, "read");
	}
}
static void positioned_read_in_order(struct task *t, long n)
{
	while (n--) {
		off_t place = next_place(t);

		must(pread(t->fd, t->buffer, t->size, place) == (ssize_t)t->size, "pread");
	}
}

/* ---- the same in four parts ---- */

enum { PARTS = 4 };

static void split(const struct task *t, struct iovec *iov)
{
	for (int i = 0; i < PARTS; i++)
		iov[i] = (struct iovec){t->buffer + (size_t)i * t->size / PARTS,
					t->size / PARTS};
}

static void pair_readv(struct task *t, long n)
{
	struct iovec iov[PARTS];

	split(t, iov);
	while (n--) {
		seek_to(t, random_place(&t->random, t));
		must(readv(t->fd, iov, PARTS) == (ssize_t)t->size, "readv");
	}
}
static void positioned_readv(struct task *t, long n)
{
	struct iovec iov[PARTS];

	split(t, iov);
	while (n--) {
		off_t place = random_place(&t->random, t);

		must(preadv(t->fd, iov, PARTS, place) == (ssize_t)t->size, "preadv");
	}
}

static void pair_writev(struct task *t, long n)
{
	struct iovec iov[PARTS];

	split(t, iov);
	while (n--) {
		seek_to(t, random_place(&t->random, t));
		must(writev(t->fd, iov, PARTS) == (ssize_t)t->size, "writev");
	}
}
static void positioned_writev(struct task *t, long n)
{
	struct iovec iov[PARTS];

	split(t, iov);
	while (n--) {
		off_t place = random_place(&t->random, t);

		must(pwritev(t->fd, iov, PARTS, place) == (ssize_t)t->size, "pwritev");
	}
}

/* ---- seeks alone ---- */

static void tell(struct task *t, long n)
{
	while (n--)
		must(lseek(t->fd, 0, SEEK_CUR) >= 0, "lseek");
}

static void seek_only(struct task *t, long n)
{
	while (n--)
		seek_to(t, random_place(&t->random, t));
}

static void end(struct task *t, long n)
{
	while (n--)
		must(lseek(t->fd, 0, SEEK_END) > 0, "lseek");
}
static void end_and_back(struct task *t, long n)
{
	while (n--) {
		must(lseek(t->fd, 0, SEEK_END) > 0, "lseek");
		seek_to(t, 0);
	}
}
static void size_by_fstat(struct task *t, long n)
{
	struct stat st;

	while (n--)
		must(!fstat(t->fd, &st) && st.st_size > 0, "fstat");
}

/* ---- many descriptors, each with an offset of its own ---- */

static int *many;

static void prepare_many(struct task *t)
{
	static int fds[1 << 17];

	must(t->count <= (int)(sizeof(fds) / sizeof(*fds)), "count");
	many = fds;
	for (int i = 0; i < t->count; i++) {
		fds[i] = open_hot(t);
		must(lseek(fds[i], 0, SEEK_SET) == 0, "lseek");
	}
}
static int one_of_many(const struct task *t)
{
	return many[((t->random & 0xffffffff) * (uint64_t)t->count) >> 32];
}

static void pair_read_many(struct task *t, long n)
{
	while (n--) {
		off_t place = random_place(&t->random, t);
		int fd = one_of_many(t);

		must(lseek(fd, place, SEEK_SET) == place, "lseek");
		must(read(fd, t->buffer, t->size) == (ssize_t)t->size, "read");
	}
}
static void positioned_read_many(struct task *t, long n)
{
	while (n--) {
		off_t place = random_place(&t->random, t);

		must(pread(one_of_many(t), t->buffer, t->size, place) == (ssize_t)t->size,
		     "pread");
	}
}

const struct workload io_workloads[] = {
	{"pair-read", prepare_reading, pair_read, positioned_read, NULL},
	{"pair-write", prepare_writing, pair_write, positioned_write, NULL},
	{"pair-read-in-order", prepare_reading, pair_read_in_order, positioned_read_in_order,
	 NULL},
	{"pair-readv", prepare_reading, pair_readv, positioned_readv, NULL},
	{"pair-writev", prepare_writing, pair_writev, positioned_writev, NULL},
	{"pair-read-many", prepare_many, pair_read_many, positioned_read_many, NULL},
	{"tell", prepare_reading, tell, NULL, NULL},
	{"seek", prepare_reading, seek_only, NULL, NULL},
	{"end", prepare_reading, end, size_by_fstat, NULL},
	{"end-and-back", prepare_reading, end_and_back, size_by_fstat, NULL},
	{0},
};
