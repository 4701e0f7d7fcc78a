/* SPDX-License-Identifier: MIT */
/* Calls that the library can only pass on: what it costs where it gains nothing. */
#include "worker.h"
#include <fcntl.h>
#include <unistd.h>

static void prepare_zero(struct task *t)
{
	t->fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	must(t->fd >= 0, "/dev/zero");
}
static void prepare_null(struct task *t)
{
	t->fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	must(t->fd >= 0, "/dev/null");
}
static void read_only(struct task *t, long n)
{
	while (n--)
		must(read(t->fd, t->buffer, t->size) == (ssize_t)t->size, "read");
}
static void write_only(struct task *t, long n)
{
	while (n--)
		must(write(t->fd, t->buffer, t->size) == (ssize_t)t->size, "write");
}

/* ---- a regular file whose opening nobody saw ---- */

static void prepare_inherited(struct task *t)
{
	t->fd = FD_INHERITED;
}
static void read_inherited(struct task *t, long n)
{
	while (n--)
		if (read(t->fd, t->buffer, t->size) != (ssize_t)t->size)
			must(lseek(t->fd, 0, SEEK_SET) == 0, "lseek");
}
static void tell_inherited(struct task *t, long n)
{
	while (n--)
		must(lseek(t->fd, 0, SEEK_CUR) >= 0, "lseek");
}

/* ---- a pipe; it is filled between the times, not in them ---- */

enum { PIPE_HOLDS = 65536 };
static int pipe_ends[2];
static long in_pipe;

static void prepare_pipe(struct task *t)
{
	must(!pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK), "pipe");
	t->fd = pipe_ends[0];
}
static void fill_pipe(void)
{
	static char bytes[PIPE_HOLDS];
	ssize_t r = write(pipe_ends[1], bytes, (size_t)(PIPE_HOLDS - in_pipe));

	if (r > 0)
		in_pipe += r;
	must(in_pipe > 0, "write to the pipe");
}
static void read_pipe(struct task *t, long n, struct answer *a)
{
	for (long left = n; left;) {
		double began;
		long part;

		fill_pipe();
		part = in_pipe < left ? in_pipe : left;
		must(read(t->fd, t->buffer, 1) == 1, "read"); /* warm again, and not counted */
		began = now();
		for (long i = 1; i < part; i++)
			must(read(t->fd, t->buffer, 1) == 1, "read");
		a->took += part > 1 ? (now() - began) * (double)part / (double)(part - 1) : 1;
		in_pipe -= part;
		left -= part;
	}
	a->figure[0] = a->took / (double)n;
}
static void seek_pipe(struct task *t, long n)
{
	while (n--)
		must(lseek(t->fd, 0, SEEK_CUR) == -1, "lseek on a pipe");
}

/* ---- a file of our own that is never seeked ---- */

/* At its end it is opened anew, because to go back would be a seek. */
static void read_in_order(struct task *t, long n)
{
	while (n--)
		if (read(t->fd, t->buffer, t->size) != (ssize_t)t->size) {
			close(t->fd);
			t->fd = open_hot(t);
		}
}
static void write_in_order(struct task *t, long n)
{
	while (n--) {
		must(write(t->fd, t->buffer, t->size) == (ssize_t)t->size, "write");
		if (++t->random == t->blocks) {
			close(t->fd);
			t->fd = open_written(t);
			t->random = 0;
		}
	}
}
static void prepare_read_in_order(struct task *t)
{
	t->fd = open_hot(t);
}
static void prepare_write_in_order(struct task *t)
{
	t->fd = open_written(t);
	t->random = 0;
}

const struct workload pass_workloads[] = {
	{"zero", prepare_zero, read_only, NULL, NULL},
	{"null", prepare_null, write_only, NULL, NULL},
	{"inherited-read", prepare_inherited, read_inherited, NULL, NULL},
	{"inherited-tell", prepare_inherited, tell_inherited, NULL, NULL},
	{"pipe-read", prepare_pipe, NULL, NULL, read_pipe},
	{"pipe-seek", prepare_pipe, seek_pipe, NULL, NULL},
	{"read-in-order", prepare_read_in_order, read_in_order, NULL, NULL},
	{"write-in-order", prepare_write_in_order, write_in_order, NULL, NULL},
	{0},
};
