/* SPDX-License-Identifier: MIT */
/* What the programs of test/explore have in common: which cases they run, and what they print. */
#include "explore.h"
#include "run.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static struct found sum;
static unsigned failures, unfinished, not_reached;
static unsigned long cases_of_stage, whole_of_stage;
static const char *stage_name;
static double ends_at;

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static unsigned long number_from(const char *name, unsigned long otherwise)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 10) : otherwise;
}

static void failed(const struct explored *c, const struct found *f)
{
	const char *again;

	printf("FAIL %s: %s\n  SCHEDULE=%s CASES=%s shows it again:\n", case_name(c), f->wrong,
	       f->schedule, case_name(c));
	fflush(stdout);
	again = search_replay(c, f->schedule);
	printf("  %s\n", again ? again : "(but this time all is well)");
	failures++;
}

void run_case(const struct explored *c)
{
	struct found f = {0};

	if (failures >= 3)
		return;
	if (seconds() > ends_at) {
		not_reached++;
		return;
	}
	search(c, &f);
	sum.cases++;
	sum.whole += f.whole;
	sum.cut += f.cut;
	sum.strays += f.strays;
	if (sum.longest < f.longest)
		sum.longest = f.longest;
	unfinished += f.unfinished;
	if (getenv("VERBOSE"))
		printf("%s: %lu interleavings, %u histories %016lx%s\n", case_name(c), f.whole,
		       case_histories, (unsigned long)case_outcomes,
		       f.unfinished ? ", unfinished" : "");
	if (f.wrong)
		failed(c, &f);
}

static void stage_ends(void)
{
	if (stage_name)
		printf("%s: %lu cases, %lu interleavings\n", stage_name, sum.cases - cases_of_stage,
		       sum.whole - whole_of_stage);
	fflush(stdout);
}
void run_stage(const char *name, unsigned long limit)
{
	stage_ends();
	stage_name = name;
	cases_of_stage = sum.cases;
	whole_of_stage = sum.whole;
	search_limit = number_from("LIMIT", limit);
}

/* By name: a start, the threads' operations, the handler's after a slash. */
static bool run_named(const char *list)
{
	const char *schedule = getenv("SCHEDULE");
	struct explored c;
	char name[200];

	search_limit = number_from("LIMIT", 0);
	for (; *list; list += strspn(list, " :")) {
		size_t length = strcspn(list, " :");

		snprintf(name, sizeof(name), "%.*s", (int)length, list);
		list += length;
		if (!case_parse(&c, name)) {
			printf("there is no case %s\n", name);
			return false;
		}
		if (schedule) {
			const char *wrong = search_replay(&c, schedule);

			printf("%s\n", wrong ? wrong : "as it should be");
			failures += wrong != NULL;
		} else {
			run_case(&c);
		}
	}
	return true;
}

int run_all(void (*quick)(void), void (*full)(void))
{
	const char *named = getenv("CASES");
	bool is_full = getenv("FULL");

	search_all = getenv("ALL");
	ends_at = seconds() + 60 * (double)number_from("MINUTES", is_full ? 30 : 10);
	if (named) {
		if (!run_named(named))
			return 2;
	} else {
		(is_full ? full : quick)();
		stage_ends();
	}
	printf("%lu cases, %lu interleavings (%lu more cut short as repetitions), the longest of "
	       "%lu "
	       "steps; %u violations\n",
	       sum.cases, sum.whole, sum.cut, sum.longest, failures);
	if (sum.strays)
		printf("%lu of them used a number before its open had returned, and were not "
		       "judged\n",
		       sum.strays);
	if (unfinished || not_reached)
		printf("%u cases reached their limit of interleavings, %u the limit of time\n",
		       unfinished, not_reached);
	return failures || (!sum.cases && !getenv("SCHEDULE"));
}
