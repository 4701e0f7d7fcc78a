/* SPDX-License-Identifier: MIT */
/*
 * fio, whose engine "sync" is lseek and read or write, and "psync" pread or pwrite.  It is started
 * for each slice; what counts is what it says about its own run.
 */
#include "worker.h"
#include "data.h"
#include <stdlib.h>
#include <string.h>

enum { READ_IOPS = 8, WRITE_IOPS = 49 }; /* fields of its terse output, version 3 */

static double field(const char *line, int wanted)
{
	while (--wanted && line)
		if ((line = strchr(line, ';')))
			line++;
	must(line != NULL, "what fio says");
	return strtod(line, NULL);
}

static void fio(struct task *t, long n, struct answer *a, const char *pattern, bool threads)
{
	char command[8192], line[8192] = "";
	bool writes = strstr(pattern, "write") || !strcmp(pattern, "rw");
	FILE *said;
	double per_second;

	snprintf(command, sizeof(command),
		 "LD_PRELOAD=%s SEEKLESS=%s exec fio --minimal --terse-version=3 --name=bench"
		 " --filename=%s/%s --rw=%s --bs=%zu --size=%zu --io_size=%zu --invalidate=0"
		 " --ioengine=%s --numjobs=%d --group_reporting %s",
		 t->library, t->on, t->folder, writes ? "written" : "hot", pattern, t->size,
		 t->blocks * t->size, (size_t)n / (size_t)t->count * t->size,
		 t->positioned ? "psync" : "sync", t->count, threads ? "--thread" : "");
	said = popen(command, "r");
	must(said && fgets(line, sizeof(line), said) && !pclose(said), "fio");
	per_second = field(line, READ_IOPS) + field(line, WRITE_IOPS);
	must(per_second > 0, "what fio says");
	a->figure[0] = 1e9 / per_second;
}

static void randread(struct task *t, long n, struct answer *a)
{
	fio(t, n, a, "randread", false);
}
static void randread_threads(struct task *t, long n, struct answer *a)
{
	fio(t, n, a, "randread", true);
}
static void randwrite(struct task *t, long n, struct answer *a)
{
	fio(t, n, a, "randwrite", false);
}
static void read_in_order(struct task *t, long n, struct answer *a)
{
	fio(t, n, a, "read", false);
}
static void write_in_order(struct task *t, long n, struct answer *a)
{
	fio(t, n, a, "write", false);
}
static void mixed(struct task *t, long n, struct answer *a)
{
	fio(t, n, a, "rw", false);
}

const struct workload fio_workloads[] = {
	{"fio-randread", NULL, NULL, NULL, randread},
	{"fio-randread-threads", NULL, NULL, NULL, randread_threads},
	{"fio-randwrite", NULL, NULL, NULL, randwrite},
	{"fio-read", NULL, NULL, NULL, read_in_order},
	{"fio-write", NULL, NULL, NULL, write_in_order},
	{"fio-rw", NULL, NULL, NULL, mixed},
	{0},
};
