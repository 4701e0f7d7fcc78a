/* SPDX-License-Identifier: MIT */
/* Files that are open for a short time only. */
#include "worker.h"
#include "data.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *paths[SMALL_FILES];
static long at;

static void prepare_paths(struct task *t)
{
	for (int i = 0; i < SMALL_FILES; i++)
		must(asprintf(&paths[i], SMALL_PATH, t->folder, i / SMALL_PER_FOLDER, i) > 0,
		     "memory");
}

static int open_next(void)
{
	int fd = open(paths[at], O_RDONLY | O_CLOEXEC);

	must(fd >= 0, paths[at]);
	at = (at + 1) % SMALL_FILES;
	return fd;
}

static void open_close(struct task *t, long n)
{
	(void)t;
	while (n--) {
		int fd = open(paths[0], O_RDONLY | O_CLOEXEC);

		must(fd >= 0 && !close(fd), "open and close");
	}
}

static void seek_once(struct task *t, long n)
{
	while (n--) {
		int fd = open_next();

		must(lseek(fd, SMALL_SIZE / 2, SEEK_SET) == SMALL_SIZE / 2, "lseek");
		must(read(fd, t->buffer, t->size) == (ssize_t)t->size, "read");
		must(!close(fd), "close");
	}
}
static void seek_never(struct task *t, long n)
{
	while (n--) {
		int fd = open_next();

		must(pread(fd, t->buffer, t->size, SMALL_SIZE / 2) == (ssize_t)t->size,
		     "pread");
		must(!close(fd), "close");
	}
}

/* Not a seek at all: open, read, close. */
static void read_once(struct task *t, long n)
{
	while (n--) {
		int fd = open_next();

		must(read(fd, t->buffer, t->size) == (ssize_t)t->size, "read");
		must(!close(fd), "close");
	}
}

const struct workload open_workloads[] = {
	{"open-close", prepare_paths, open_close, NULL, NULL},
	{"open-seek-read-close", prepare_paths, seek_once, seek_never, NULL},
	{"open-read-close", prepare_paths, read_once, NULL, NULL},
	{0},
};
