// SPDX-License-Identifier: MIT
/* `seekless bench`: the numbers as a table, a chart and sentences, and as JSON. */
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "seekless.h"

enum { BAR = 44 }; /* the longest, in characters */

static const int pair_row = 1, size_row = 6; /* those of one thread */
static const double rates[] = {1000, 10000, 100000};

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static struct middle middle_of(const double *values, int count)
{
	double sorted[ROUNDS];
	size_t size = (size_t)count;

	memcpy(sorted, values, size * sizeof(*sorted));
	qsort(sorted, size, sizeof(*sorted), by_value);
	return (struct middle){sorted[count / 2], sorted[count / 4], sorted[count - 1 - count / 4]};
}

static struct middle taken_by(const struct bench *bench, int row, enum way way)
{
	return middle_of(bench->taken[row][way], bench->rounds);
}

/* What a pair takes less, round by round: with the library, or if there is none, as pread. */
static struct middle saved_of(const struct bench *bench)
{
	double saved[ROUNDS];

	for (int i = 0; i < bench->rounds; i++)
		saved[i] = bench->taken[pair_row][NATIVE][i] -
			   bench->taken[pair_row][bench->library ? LIBRARY : DIRECT][i];
	return middle_of(saved, bench->rounds);
}

static double percent(double rate, double nanoseconds)
{
	return rate * nanoseconds / 1e9 * 100;
}

/* ---- for people ---- */

/* Thousands where the cell would be too wide. */
static const char *short_number(double value, char *text, size_t size)
{
	snprintf(text, size, value < 9999.5 ? "%.0f" : "%.0fk",
		 value < 9999.5 ? value : value / 1000);
	return text;
}

static void print_cell(const struct bench *bench, int row, enum way way)
{
	char cell[80] = "-", median[24], low[24], high[24];

	if (row_has(bench, row, way)) {
		struct middle is = taken_by(bench, row, way);

		snprintf(cell, sizeof(cell), "%s (%s-%s)",
			 short_number(is.median, median, sizeof(median)),
			 short_number(is.low, low, sizeof(low)),
			 short_number(is.high, high, sizeof(high)));
	}
	printf(" %16s", cell);
}

static void print_table(const struct bench *bench)
{
	struct middle call = taken_by(bench, 0, NATIVE);

	printf("%ld processors, file in %s; nanoseconds of processor time, medians of %d slices\n"
	       "(and the half of these in the middle)\n\n",
	       sysconf(_SC_NPROCESSORS_ONLN), bench->folder, bench->rounds);
	printf("%-27s %5.0f (%.0f-%.0f)\n", "a call that does nothing", call.median, call.low,
	       call.high);
	for (int i = 1; i < row_count; i++) {
		const struct row *row = &rows[i];

		if (row->threads == 1)
			printf("\n%-27s %16s %16s %16s\n",
			       row->kind == PAIR ? "lseek, and read of 512 B"
						 : "size: lseek to end and back",
			       "two calls", "with the library",
			       row->kind == PAIR ? "pread" : "fstat");
		printf("  %d thread%-16s", row->threads,
		       row->threads == 1 ? ""
		       : row->is_shared	 ? "s, shared, lock"
					 : "s, each its own");
		for (int way = 0; way < WAYS; way++)
			print_cell(bench, i, (enum way)way);
		putchar('\n');
	}
}

static void print_bar(const struct bench *bench, int row, enum way way, double most, bool utf8)
{
	static const char *const names[][WAYS] = {
		[PAIR] = {"lseek, read", "with the library", "pread"},
		[SIZE] = {"lseek, lseek", "with the library", "fstat"},
	};
	double is = row_has(bench, row, way) ? taken_by(bench, row, way).median : 0;
	int length = (int)(is / most * BAR + 0.5);

	if (!row_has(bench, row, way))
		return;
	printf("  %-17s ", names[rows[row].kind][way]);
	for (int i = 0; i < length; i++)
		fputs(utf8 ? "\u2588" : "#", stdout);
	printf(" %.0f ns\n", is);
}

static void print_chart(const struct bench *bench)
{
	const int shown[] = {pair_row, size_row};
	double most = 1;
	bool utf8;

	setlocale(LC_CTYPE, "");
	utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	for (int i = 0; i < 2 * WAYS; i++) {
		int row = shown[i / WAYS];
		double is = row_has(bench, row, (enum way)(i % WAYS))
				    ? taken_by(bench, row, i % WAYS).median
				    : 0;

		most = is > most ? is : most;
	}
	for (int i = 0; i < 2 * WAYS; i++) {
		if (i % WAYS == 0)
			putchar('\n');
		print_bar(bench, shown[i / WAYS], (enum way)(i % WAYS), most, utf8);
	}
}

static void print_gain(const struct bench *bench)
{
	struct middle saved = saved_of(bench), pair = taken_by(bench, pair_row, NATIVE);
	double most = 1e9 / pair.median;

	printf("\nOne thread's lseek and read take %.0f ns (%.0f-%.0f) less %s.\n", saved.median,
	       saved.low, saved.high, bench->library ? "with the library" : "as one pread");
	if (bench->library && !bench->is_kept)
		puts("The library keeps no offsets of files in this folder (see the limits: file\n"
		     "systems, filters of system calls), so there is nothing to gain in it.");
	else if (saved.median <= 0)
		puts("There is nothing to gain on this machine.");
	puts("A program that makes so many pairs a second would gain, of a core:");
	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++)
		if (rates[i] < most)
			printf("  %9.0f  %6.2f %%\n", rates[i], percent(rates[i], saved.median));
	printf("  %9.0f  %6.2f %%  (more is not possible: it would do nothing else)\n", most,
	       percent(most, saved.median));
	if (bench->is_kept &&
	    taken_by(bench, size_row, LIBRARY).low > taken_by(bench, size_row, NATIVE).high)
		puts("fstat is the dearer way to a size here: SEEKLESS_SIZE=auto takes the other.");
}

void bench_print(const struct bench *bench)
{
	print_table(bench);
	print_chart(bench);
	print_gain(bench);
}

/* ---- for machines ---- */

static void put_middle(const char *name, const struct bench *bench, int row, enum way way)
{
	struct middle is;

	printf(",\"%s\":", name);
	if (!row_has(bench, row, way)) {
		fputs("null", stdout);
		return;
	}
	is = taken_by(bench, row, way);
	printf("{\"median\":%.1f,\"low\":%.1f,\"high\":%.1f}", is.median, is.low, is.high);
}

static void put_gain(const char *before, double rate, double nanoseconds)
{
	printf("%s{\"pairs\":%.0f,\"percent\":%.3f}", before, rate, percent(rate, nanoseconds));
}

void bench_print_json(const struct bench *bench)
{
	struct middle saved = saved_of(bench);
	double most = 1e9 / taken_by(bench, pair_row, NATIVE).median;

	fputs("{\"unit\":\"ns\",\"folder\":", stdout);
	json_string(bench->folder);
	fputs(",\"library\":", stdout);
	if (bench->library)
		json_string(bench->library);
	else
		fputs("null", stdout);
	printf(",\"kept\":%s,\"processors\":%ld,\"slices\":%d", bench->is_kept ? "true" : "false",
	       sysconf(_SC_NPROCESSORS_ONLN), bench->rounds);
	put_middle("system_call", bench, 0, NATIVE);
	fputs(",\"rows\":[", stdout);
	for (int i = 1; i < row_count; i++) {
		printf("%s{\"what\":\"%s\",\"threads\":%d,\"shared\":%s", i > 1 ? "," : "",
		       rows[i].kind == PAIR ? "pair" : "size", rows[i].threads,
		       rows[i].is_shared ? "true" : "false");
		put_middle("calls", bench, i, NATIVE);
		put_middle("library", bench, i, LIBRARY);
		put_middle(rows[i].kind == PAIR ? "pread" : "fstat", bench, i, DIRECT);
		putchar('}');
	}
	printf("],\"saved\":{\"median\":%.1f,\"low\":%.1f,\"high\":%.1f,\"by\":\"%s\"},\"gain\":[",
	       saved.median, saved.low, saved.high, bench->library ? "library" : "pread");
	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++)
		put_gain(i ? "," : "", rates[i], saved.median);
	put_gain("],\"most\":", most, saved.median);
	puts("}");
}
