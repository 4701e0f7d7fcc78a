/* SPDX-License-Identifier: MIT */
/*
 * worker WORKLOAD SIZE COUNT FOLDER offset|positioned LIBRARY on|off [expect]
 *
 * Does one kind of work in slices, as ordered on one pipe, and answers on another how long each
 * took. With "expect" it refuses to work where the library is not in front of libc.
 */
#include "worker.h"
#include "data.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *name;

void die(const char *what)
{
	fprintf(stderr, "bench: %s: %s: %s\n", name, what, strerror(errno));
	exit(1);
}

double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int open_data(const struct task *t, const char *file, int flags)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", t->folder, file);
	fd = open(path, flags | O_CLOEXEC);
	must(fd >= 0, path);
	return fd;
}
int open_hot(const struct task *t)
{
	return open_data(t, "hot", O_RDONLY);
}
int open_written(const struct task *t)
{
	return open_data(t, "written", O_RDWR);
}

/* One seek ahead: what is measured is a descriptor that seeks, not its first time. */
void prepare_reading(struct task *t)
{
	t->fd = open_hot(t);
	must(lseek(t->fd, 0, SEEK_SET) == 0, "lseek");
}
void prepare_writing(struct task *t)
{
	t->fd = open_written(t);
	must(lseek(t->fd, 0, SEEK_SET) == 0, "lseek");
}

static const struct workload *workload(const char *wanted)
{
	const struct workload *const all[] = {io_workloads,	 pass_workloads,    open_workloads,
					      thread_workloads, process_workloads, fio_workloads};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		for (const struct workload *w = all[i]; w->name; w++)
			if (!strcmp(w->name, wanted))
				return w;
	errno = ENOENT;
	die("no such workload");
}

/*
 * The first operations after the others' turns find cold caches; they are done before the clock
 * starts.  What counts is the median of the slice's parts: on a shared machine the processor is
 * now and then taken away in the middle of one.
 */
enum { PARTS = 15 };

static void do_slice(const struct workload *w, struct task *t, long n, struct answer *a)
{
	void (*loop)(struct task *, long) = t->positioned ? w->rewritten : w->loop;
	long each = n / PARTS + 1;
	double took[PARTS], last;

	if (w->slice) {
		w->slice(t, n, a);
		return;
	}
	loop(t, each);
	last = now();
	for (int i = 0; i < PARTS; i++) {
		double then;

		loop(t, each);
		then = now();
		took[i] = then - last;
		last = then;
		a->took += took[i];
	}
	qsort(took, PARTS, sizeof(*took), by_value);
	a->figure[0] = took[PARTS / 2] / (double)each;
}

static void expect_library(const char *library)
{
	Dl_info info;

	if (dladdr(dlsym(RTLD_DEFAULT, "lseek"), &info) && !strcmp(info.dli_fname, library))
		return;
	errno = ELIBACC;
	die(library);
}

int main(int argc, char **argv)
{
	static char buffer[HOT_BLOCK] __attribute__((aligned(4096)));
	const struct workload *w;
	struct task t = {0};
	struct stat st;
	struct order o;

	must(argc == 9, "arguments");
	name = argv[1];
	w = workload(name);
	t.size = strtoul(argv[2], NULL, 10);
	t.count = atoi(argv[3]);
	t.folder = argv[4];
	t.positioned = !strcmp(argv[5], "positioned");
	t.library = argv[6];
	t.on = argv[7];
	if (*argv[8])
		expect_library(t.library);
	t.buffer = buffer;
	t.random = 88172645463325252;
	must(!fstat(FD_INHERITED, &st), "the inherited descriptor");
	t.blocks = t.size ? (uint64_t)st.st_size / t.size : 0;
	memset(buffer, 'w', t.size); /* no page fault later */
	if (w->prepare)
		w->prepare(&t);
	while (read(FD_ORDERS, &o, sizeof(o)) == sizeof(o)) {
		struct answer a = {0};

		do_slice(w, &t, o.operations, &a);
		must(write(FD_ANSWERS, &a, sizeof(a)) == sizeof(a), "answer");
	}
	return 0;
}
