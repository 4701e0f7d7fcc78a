/* SPDX-License-Identifier: MIT */
/* seqscan's words, and its rounds. */
#include "seqscan.h"
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] =
	"usage: seqscan [OPTION...] ROUNDS DATAFILE\n"
	"       seqscan --kernel [OPTION...] ROUNDS DATAFILE\n"
	"       seqscan --selftest DATAFILE\n\n"
	"Scans DATAFILE by turns without and with help, and once more without; prints each round\n"
	"and the ratios of the times, without/with, as a median and its 90 % interval.\n\n"
	"  --cpu US         work for the processor on each page of 8 KiB (0)\n"
	"  --unit PAGES     of one read (1)\n"
	"  --pattern NAME   forward, backward, stride (every 8th unit), interleaved (4 scans), "
	"random\n"
	"  --call NAME      seek (lseek and read), read, pread\n"
	"  --size MIB       of the file that is scanned (all)\n"
	"  --hot            the file in the cache; otherwise evicted before each scan, and proven "
	"so\n"
	"  --with HELP      auto or a size: SEEKLESS_READAHEAD of the library, which is there in "
	"all\n"
	"                   turns; inline or thread: readahead(2) of its own, told the pattern "
	"(--ahead KIB)\n"
	"  --library FILE   libseekless.so (beside this program)\n"
	"  --line           one line in the place of the rounds\n\n"
	"--kernel: does lseek+read as pread disturb the kernel's own reading ahead?  Resident "
	"pages\n"
	"over a cold forward scan, and the time, by read, lseek+read, and lseek+read preloaded.\n";

enum leg { WITHOUT, WITH, AGAIN, LEGS };

static struct {
	struct scan scan;
	int rounds;
	bool hot, line, kernel, selftest;
	const char *with, *library;
	long size;
} set = {.scan = {.unit = PAGE, .call = SEEK, .distance = 1024}, .with = "auto"};

static bool is_own(const char *with)
{
	return !strcmp(with, "inline") || !strcmp(with, "thread");
}

static bool one_leg(enum leg leg, struct result *r)
{
	struct scan s = set.scan;
	const char *with = set.library ? "off" : NULL;
	long there = set.hot ? cache_fill(s.file) : cache_evict(s.file);

	if (there < 0 || (!set.hot && there > 0)) {
		fprintf(stderr, "seqscan: %ld pages of %s stay in the cache\n", there, s.file);
		return false;
	}
	s.delay = leg == WITH ? s.delay : 0;
	if (leg == WITH && is_own(set.with))
		s.own = set.with;
	else if (leg == WITH)
		with = set.with;
	return worker_run(&s, with, set.library, r);
}

static double ratios[2][ROUNDS_MOST], took[LEGS][ROUNDS_MOST];
static double ready_sum;

static bool one_round(int round)
{
	struct result r[LEGS];

	for (int i = 0; i < LEGS; i++) {
		enum leg leg = (enum leg)((round + i) % LEGS);

		if (!one_leg(leg, &r[leg]))
			return false;
		took[leg][round] = r[leg].seconds * 1e3;
	}
	if (r[WITH].sum != r[WITHOUT].sum || r[AGAIN].sum != r[WITHOUT].sum) {
		fprintf(stderr, "seqscan: what was read differs\n");
		return false;
	}
	ratios[0][round] = r[WITHOUT].seconds / r[WITH].seconds;
	ratios[1][round] = r[WITHOUT].seconds / r[AGAIN].seconds;
	ready_sum += r[WITH].ready;
	if (!set.line)
		printf("%5d %10.1f %10.1f %10.1f %8.3f %8.3f %7.1f%% %6ld\n", round + 1,
		       took[WITHOUT][round], took[WITH][round], took[AGAIN][round],
		       ratios[0][round], ratios[1][round], 100 * r[WITH].ready, r[WITH].waited);
	fflush(stdout);
	return true;
}

/* One line: ms without and with, the ratio, A/A, and the share of reads that were ready. */
static void print_sum(struct interval ratio)
{
	struct interval aa = interval_of(ratios[1], set.rounds);

	printf("%s%8.1f %8.1f  %6.3f (%.3f-%.3f)  %6.3f (%.3f-%.3f)  %5.1f%%\n",
	       set.line ? "" : "median, and 90 % interval: ms, ms, ratio, A/A, ready\n",
	       interval_of(took[WITHOUT], set.rounds).median,
	       interval_of(took[WITH], set.rounds).median, ratio.median, ratio.low, ratio.high,
	       aa.median, aa.low, aa.high, 100 * ready_sum / set.rounds);
}

static int compare(struct interval *ratio)
{
	if (!set.line)
		printf("round    without       with      again    ratio      A/A    ready waited   "
		       "(ms; %s, %s, %ld KiB, %.0f us, %s, %s)\n",
		       pattern_names[set.scan.pattern], call_names[set.scan.call],
		       set.scan.unit / KIB, set.scan.cpu, set.hot ? "hot" : "cold", set.with);
	ready_sum = 0;
	for (int i = 0; i < set.rounds; i++)
		if (!one_round(i))
			return 3;
	*ratio = interval_of(ratios[0], set.rounds);
	print_sum(*ratio);
	return 0;
}

/* A planted delay of as much time as the work for the processor: it must be found, and nothing without. */
static int selftest(void)
{
	struct interval planted, nothing;
	double expected;

	set.hot = true;
	set.with = set.library ? "off" : "inline";
	set.scan.cpu = 200;
	set.scan.work = 200 * work_per_us();
	set.scan.reads = set.scan.reads > 300 ? 300 : set.scan.reads;
	set.rounds = 9;
	if (compare(&nothing))
		return 3;
	set.scan.delay = 200;
	if (compare(&planted))
		return 3;
	expected = 200 / (200 + 200 + 60.0); /* usleep comes some 60 us late */
	printf("nothing planted: %.3f, 1 expected; a delay: %.3f, about %.2f expected\n",
	       nothing.median, planted.median, expected);
	if (nothing.low > 1.03 || nothing.high < 0.97 || planted.median > expected * 1.25 ||
	    planted.median < expected * 0.6) {
		printf("selftest failed\n");
		return 1;
	}
	printf("selftest passed\n");
	return 0;
}

static int word_of(const char *const *names, const char *name)
{
	for (int i = 0; names[i]; i++)
		if (!strcmp(names[i], name))
			return i;
	fprintf(stderr, "seqscan: what is %s?\n%s", name, usage);
	exit(2);
}

static void take_option(const char *name)
{
	if (!strcmp(name, "cpu"))
		set.scan.cpu = atof(optarg);
	else if (!strcmp(name, "unit"))
		set.scan.unit = atol(optarg) * PAGE;
	else if (!strcmp(name, "pattern"))
		set.scan.pattern = (enum pattern)word_of(pattern_names, optarg);
	else if (!strcmp(name, "call"))
		set.scan.call = (enum call)word_of(call_names, optarg);
	else if (!strcmp(name, "size"))
		set.size = atol(optarg) * MIB;
	else if (!strcmp(name, "hot"))
		set.hot = true;
	else if (!strcmp(name, "with"))
		set.with = optarg;
	else if (!strcmp(name, "ahead"))
		set.scan.distance = atol(optarg);
	else if (!strcmp(name, "library"))
		set.library = *optarg ? optarg : NULL;
	else if (!strcmp(name, "line"))
		set.line = true;
	else if (!strcmp(name, "kernel"))
		set.kernel = true;
	else
		set.selftest = true;
}

static void find_library(void)
{
	static char path[PATH_MAX + 32];

	if (!realpath("/proc/self/exe", path))
		return;
	strcpy(strrchr(path, '/'), "/libseekless.so");
	set.library = path;
}

/* As many reads as the file has room for, by this pattern. */
static void measure_file(void)
{
	struct stat st;

	if (stat(set.scan.file, &st)) {
		perror(set.scan.file);
		exit(3);
	}
	if (!set.size || set.size > st.st_size)
		set.size = st.st_size;
	set.scan.reads = set.size / set.scan.unit;
	if (set.scan.pattern == STRIDE)
		set.scan.reads /= STRIDE_PAGES;
	set.scan.reads -= set.scan.reads % STREAMS;
	if (set.scan.reads < 8) {
		fprintf(stderr, "seqscan: %s is too small\n", set.scan.file);
		exit(3);
	}
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{"cpu", 1, NULL, 0},  {"unit", 1, NULL, 0},   {"pattern", 1, NULL, 0},
		{"call", 1, NULL, 0}, {"size", 1, NULL, 0},   {"hot", 0, NULL, 0},
		{"with", 1, NULL, 0}, {"ahead", 1, NULL, 0},  {"library", 1, NULL, 0},
		{"line", 0, NULL, 0}, {"kernel", 0, NULL, 0}, {"selftest", 0, NULL, 0},
		{NULL, 0, NULL, 0},
	};
	struct interval ratio;
	int which, got;

	if (argc > 10 && !strcmp(argv[1], "--worker"))
		return worker_main(argv + 2);
	find_library();
	while ((got = getopt_long(argc, argv, "", options, &which)) == 0)
		take_option(options[which].name);
	if (got != -1 || argc - optind != (set.selftest ? 1 : 2)) {
		fputs(usage, stderr);
		return 2;
	}
	set.rounds = set.selftest ? 9 : atoi(argv[optind]);
	set.scan.file = argv[argc - 1];
	set.scan.distance *= KIB;
	if (set.rounds < 1 || set.rounds > ROUNDS_MOST || set.scan.unit < PAGE) {
		fputs(usage, stderr);
		return 2;
	}
	measure_file();
	if (set.selftest)
		return selftest();
	set.scan.work = set.scan.cpu > 0 ? (long)(set.scan.cpu * (double)work_per_us()) : 0;
	if (set.kernel)
		return kernel_main(&set.scan, set.rounds, set.library);
	return compare(&ratio);
}
