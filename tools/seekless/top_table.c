// SPDX-License-Identifier: MIT
/* The table of `seekless top`: its columns, its order, its lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "printable.h"
#include "show.h"
#include "top.h"

static double rate_of(const struct watched *w, const char *const *keys)
{
	double sum = 0;

	if (w->seconds <= 0)
		return -1;
	for (; *keys; keys++)
		for (uint32_t i = 0; i < w->p.root.kinds; i++)
			if (!strcmp(w->p.key[i], *keys))
				sum += counter_rate(w, i);
	return sum;
}

/*
 * A column without keys is one of words, or the total.  Where there is not enough room, those that
 * are dispensable are left out, the greatest number first; 0 never is.
 */
static const struct column {
	const char *name;
	int width, dispensable;
	const char *keys[5];
} columns[] = {
	{"PID", 7, 0, {NULL}},
	{"PROGRAM", 0, 0, {NULL}},
	{"STATE", 7, 2, {NULL}},
	{"SAVED", 5, 0, {"seek.set", "seek.cur", "seek.end", NULL}},
	{"SET", 5, 7, {"seek.set", NULL}},
	{"CUR", 5, 8, {"seek.cur", NULL}},
	{"END", 5, 9, {"seek.end", NULL}},
	{"READ", 5, 5, {"read.positioned", NULL}},
	{"WRITE", 5, 6, {"write.positioned", NULL}},
	{"PASS", 5, 3, {"pass.lseek", "pass.read", "pass.write", "pass.other", NULL}},
	{"RETRY", 5, 10, {"retry", "wait", NULL}},
	{"TOTAL", 5, 4, {NULL}},
};
enum {
	COLUMN_PID,
	COLUMN_PROGRAM,
	COLUMN_STATE,
	COLUMN_COUNT = sizeof(columns) / sizeof(*columns)
};
enum { COLUMN_TOTAL = COLUMN_COUNT - 1, MOST_DISPENSABLE = 10 };
_Static_assert(sizeof(columns) / sizeof(*columns) <= COLUMNS_MAX, "");

static double value(const struct watched *w, int column)
{
	if (column == COLUMN_TOTAL)
		return (double)process_lseeks(&w->p).saved;
	return rate_of(w, columns[column].keys);
}

/* ---- order ---- */

void order_step(struct order *o, int step)
{
	o->column = (o->column + step + COLUMN_COUNT) % COLUMN_COUNT;
}

const char *order_name(const struct order *o)
{
	return columns[o->column].name;
}

/* Numbers fall, words rise. */
static int compare(const void *a, const void *b, void *order)
{
	const struct watched *x = *(struct watched *const *)a, *y = *(struct watched *const *)b;
	const struct order *o = order;
	int result;

	if (o->column == COLUMN_PROGRAM) {
		result = strcmp(x->p.program, y->p.program);
	} else if (o->column == COLUMN_STATE) {
		result = strcmp(process_state(&x->p), process_state(&y->p));
	} else if (o->column == COLUMN_PID) {
		result = 0;
	} else {
		double m = value(x, o->column), n = value(y, o->column);

		result = (m < n) - (m > n);
	}
	if (!result)
		result = (x->p.pid > y->p.pid) - (x->p.pid < y->p.pid);
	return o->reverse ? -result : result;
}

void order_apply(const struct order *o, struct watch *w)
{
	qsort_r(w->shown, w->n, sizeof(struct watched *), compare, (void *)o);
}

/* ---- lines ---- */

void table_layout(struct layout *l, int width)
{
	int most = MOST_DISPENSABLE, taken;

	do {
		taken = PROGRAM_LEAST;
		for (int i = 0; i < COLUMN_COUNT; i++)
			if (columns[i].dispensable <= most)
				taken += columns[i].width + 1;
	} while (--taken > width && most--); /* there is no blank behind the last */
	taken -= PROGRAM_LEAST;
	l->n = 0;
	for (int i = 0, at = 0; i < COLUMN_COUNT; i++) {
		int room = columns[i].width;

		if (columns[i].dispensable > most)
			continue;
		if (i == COLUMN_PROGRAM)
			room = width > taken ? width - taken : 1;
		l->column[l->n] = i;
		l->at[l->n] = at;
		l->width[l->n++] = room;
		at += room + 1;
	}
}

static bool is_of_words(int column)
{
	return column == COLUMN_PROGRAM || column == COLUMN_STATE;
}

/* Words to the left, numbers to the right of their column. */
static size_t put_cell(const struct layout *l, int i, const char *text, char *line, size_t size)
{
	int width = l->width[i];
	size_t n;

	fit_columns(line, size, text, is_of_words(l->column[i]) ? width : -width);
	n = strlen(line);
	if (i + 1 < l->n && n + 1 < size) {
		line[n++] = ' ';
		line[n] = '\0';
	}
	return n;
}

void table_head(const struct layout *l, char *line, size_t size)
{
	size_t at = 0;

	for (int i = 0; i < l->n; i++)
		at += put_cell(l, i, columns[l->column[i]].name, line + at, size - at);
}

void table_row(const struct layout *l, const struct watched *w, char *line, size_t size)
{
	size_t at = 0;

	for (int i = 0; i < l->n; i++) {
		char number[32];
		const char *text = number;

		if (l->column[i] == COLUMN_PID)
			snprintf(number, sizeof(number), "%d", (int)w->p.pid);
		else if (l->column[i] == COLUMN_PROGRAM)
			text = w->p.program;
		else if (l->column[i] == COLUMN_STATE)
			text = process_state(&w->p);
		else
			number_text(number, sizeof(number), value(w, l->column[i]));
		at += put_cell(l, i, text, line + at, size - at);
	}
}

void number_text(char *to, size_t size, double n)
{
	static const char units[] = "kMGTPEZ";
	const char *unit = units;

	if (n < 0) {
		snprintf(to, size, "-");
	} else if (n < 99999.5) {
		snprintf(to, size, n < 9.95 && n != (int)n ? "%.1f" : "%.0f", n);
	} else {
		for (n /= 1000; n >= 9999.5 && unit[1]; unit++)
			n /= 1000;
		snprintf(to, size, n < 99.95 ? "%.1f%c" : "%.0f%c", n, *unit);
	}
}
