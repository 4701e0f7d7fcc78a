/* SPDX-License-Identifier: MIT */
/*
 * bench [--quick] [--only TEXT] [--json FILE] [--place SYSTEM=FOLDER]... BUILD [KEY=VALUE]...
 *
 * Runs the rows (rows.c) and prints their findings.  BUILD holds the library and the programs;
 * the keys and values describe the machine.  tools/bench/run makes the folders and calls this.
 * Exits with 1 only if something could not run: it is a benchmark, not a test.
 */
#include "bench.h"
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PLACES = 4, QUICK_SECONDS = 130, FULL_SECONDS = 2400 };

static struct place places[MAX_PLACES];
static int place_count;
static struct settings set;
static FILE *json;
static int passes, shorts, opens, failed;
static char *short_names[400];

static void usage(void)
{
	fprintf(stderr, "usage: bench [--quick] [--only TEXT] [--json FILE]"
			" --place SYSTEM=FOLDER... BUILD [KEY=VALUE]...\n");
	exit(2);
}

static void add_place(char *arg)
{
	char *equals = strchr(arg, '=');

	if (!equals || place_count == MAX_PLACES)
		usage();
	*equals = 0;
	places[place_count++] = (struct place){arg, equals + 1};
}

static const char *built(const char *folder, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s", folder, name) < 0 || access(path, R_OK)) {
		fprintf(stderr, "bench: there is no %s/%s\n", folder, name);
		exit(1);
	}
	return path;
}

static void keep(const struct row *row, const struct place *p, const struct comparison *c,
		 const struct finding *f)
{
	const char *figure = row->figure[c->figure];

	passes += !strcmp(f->verdict, "passes");
	opens += !strcmp(f->verdict, "open");
	if (strcmp(f->verdict, "short") || shorts == 400)
		return;
	if (asprintf(&short_names[shorts], "%s: %s%s%s%s%s", p->system, row->name,
		     figure ? ", " : "", figure ? figure : "",
		     c->how == ITSELF ? "" : ", against ",
		     c->how == ITSELF ? "" : row_against(row, c->against)) > 0)
		shorts++;
}

static bool is_installed(const char *program)
{
	char command[256];

	snprintf(command, sizeof(command), "command -v %s >/dev/null", program);
	return !system(command);
}

#define WITHOUT "%-6s %-36s %s%s\n"

static void run(const struct row *row, const struct place *p, double seconds)
{
	static struct slices s;
	struct finding f;

	if (row->program && !is_installed(row->program)) {
		printf(WITHOUT, p->system, row->name, "is not installed: ", row->program);
		return;
	}
	if (!slices_take(&set, row, p, seconds, &s)) {
		printf(WITHOUT, p->system, row->name, "could not run", "");
		failed++;
		return;
	}
	json_row(json, row, p, &s);
	for (int i = 0; i < COMPARISONS; i++) {
		if (!finding_of(row, &row->want[i], &s, &f))
			continue;
		show_finding(row, p, &row->want[i], &f, !i);
		json_finding(json, row, &row->want[i], &f);
		keep(row, p, &row->want[i], &f);
	}
	json_row_end(json);
}

static bool is_wanted(size_t row, int place)
{
	if ((rows[row].full && set.quick) || (place && !rows[row].everywhere))
		return false;
	return !set.only || strstr(rows[row].name, set.only);
}

/*
 * Quick means quick also on a loaded machine: a row may take twice its share of what is
 * left, then it ends with fewer slices, and so with a wider interval.
 */
static void run_all(void)
{
	double until = seconds_now() + (set.quick ? QUICK_SECONDS : FULL_SECONDS);
	int left = 0;

	for (int p = 0; p < place_count; p++)
		for (size_t i = 0; i < row_count; i++)
			left += is_wanted(i, p);
	show_head();
	for (int p = 0; p < place_count; p++) {
		if (!place_prepare(&places[p]))
			exit(1);
		for (size_t i = 0; i < row_count; i++)
			if (is_wanted(i, p))
				run(&rows[i], &places[p], 2 * (until - seconds_now()) / left--);
	}
}

static void show_foot(void)
{
	printf("\nis: median over the rounds of the ratio (x: times as fast) or of the "
	       "difference;"
	       "\ninterval: of that median, by the sign test, and wider where native against "
	       "native (A/A)"
	       "\nis off by more than its own interval.\npasses, short, open: the whole "
	       "interval meets the target, misses it,"
	       " neither.\n\n%d pass, %d short, %d open\n",
	       passes, shorts, opens);
	for (int i = 0; i < shorts; i++)
		printf("short: %s\n", short_names[i]);
}

static const char *json_path = "/dev/null";

/* Leaves the index of the first argument that is no option. */
static int read_options(int argc, char **argv)
{
	static const struct option options[] = {
		{"quick", no_argument, NULL, 'q'},
		{"only", required_argument, NULL, 'o'},
		{"json", required_argument, NULL, 'j'},
		{"place", required_argument, NULL, 'p'},
		{0},
	};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 'q')
			set.quick = true;
		else if (c == 'o')
			set.only = optarg;
		else if (c == 'j')
			json_path = optarg;
		else if (c == 'p')
			add_place(optarg);
		else
			usage();
	}
	if (optind == argc || !place_count)
		usage();
	return optind;
}

int main(int argc, char **argv)
{
	int first = read_options(argc, argv);

	set.worker = built(argv[first], "bench/worker");
	set.empty = built(argv[first], "bench/empty.so");
	set.uncounted = built(argv[first], "bench/uncounted.so");
	set.library = built(argv[first], "libseekless.so");
	signal(SIGPIPE, SIG_IGN); /* a worker that has ended shows when it does not answer */
	json = fopen(json_path, "we");
	if (!json) {
		perror(json_path);
		return 1;
	}
	json_begin(json, argc - first - 1, argv + first + 1);
	run_all();
	json_end(json);
	show_foot();
	return fclose(json) || failed;
}
