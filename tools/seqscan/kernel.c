/* SPDX-License-Identifier: MIT */
/*
 * Does a pread disturb the kernel's own reading ahead?  It might need reads without seeks to see that they
 * follow each other.  So a cold file is scanned forward by read, by lseek+read, and by lseek+read
 * preloaded, which is pread; and at eighths of the way it is counted how much of the file is in the cache.
 */
#include "seqscan.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { POINTS = 8, WAYS = 4 };

static const struct {
	const char *name;
	enum call call;
	bool preloaded;
} ways[WAYS] = {
	{"read", READ, false},
	{"lseek+read", SEEK, false},
	{"pread", PREAD, false},
	{"lseek+read, preloaded", SEEK, true},
};

/* One scan: the time, and then one without a clock whose cache is looked at. */
static bool one(const struct scan *s, int way, const char *library, double *ms, long *resident)
{
	const char *with = ways[way].preloaded ? "off" : NULL;
	struct scan part = *s;
	struct result r;
	int fd;

	part.call = ways[way].call;
	if (cache_evict(s->file) || !worker_run(&part, with, library, &r))
		return false;
	*ms = r.seconds * 1e3;
	fd = open(s->file, O_RDONLY | O_CLOEXEC);
	for (int i = 0; i < POINTS; i++) {
		/* Not a half of a scan that goes on: one that ends there, so that nobody disturbs it. */
		part.reads = s->reads * (i + 1) / POINTS;
		if (cache_evict(s->file) || !worker_run(&part, with, library, &r))
			return false;
		resident[i] = cache_resident(fd, s->reads * s->unit);
	}
	close(fd);
	return true;
}

int kernel_main(const struct scan *s, int rounds, const char *library)
{
	static double took[WAYS][ROUNDS_MOST], against[WAYS][ROUNDS_MOST];
	static double pages[WAYS][POINTS][ROUNDS_MOST];
	long resident[POINTS];

	for (int round = 0; round < rounds; round++)
		for (int i = 0; i < WAYS; i++) {
			int way = (round + i) % WAYS;

			if (!one(s, way, library, &took[way][round], resident))
				return 3;
			for (int p = 0; p < POINTS; p++)
				pages[way][p][round] = (double)resident[p];
		}
	for (int way = 0; way < WAYS; way++)
		for (int round = 0; round < rounds; round++)
			against[way][round] = took[0][round] / took[way][round];
	printf("%-22s %9s  %-22s pages of 4 KiB in the cache after 1/8 ... 8/8\n", "", "ms",
	       "time of read / its own");
	for (int way = 0; way < WAYS; way++) {
		struct interval ratio;

		ratio = interval_of(against[way], rounds);
		printf("%-22s %9.1f  %5.3f (%.3f-%.3f) ", ways[way].name,
		       interval_of(took[way], rounds).median, ratio.median, ratio.low, ratio.high);
		for (int p = 0; p < POINTS; p++)
			printf(" %6.0f", interval_of(pages[way][p], rounds).median);
		printf("\n");
	}
	return 0;
}
