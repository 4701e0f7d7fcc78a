// SPDX-License-Identifier: MIT
/* `seekless top` on a terminal: what is drawn, and the keys. */
#include "seekless.h"
#include "top.h"

#ifndef HAVE_NCURSES

int screen_run(struct watch *w, double interval)
{
	(void)w, (void)interval;
	say("this command was built without ncurses: `seekless top --once` prints the table");
	return EXIT_CANNOT;
}

#else

#include <errno.h>
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>

#include "printable.h"
#include "top_terminal.h"
#include "top_view.h"

enum { LINE_MOST = 1024, LEAST_ROWS = 4, LEAST_COLUMNS = 20 };

static void put(int y, const char *text, attr_t how)
{
	char line[LINE_MOST];

	fit_columns(line, sizeof(line), text, COLS);
	attrset(how);
	mvaddstr(y, 0, line);
	attrset(A_NORMAL);
}

static void draw_title(const struct view *v)
{
	char line[LINE_MOST];

	snprintf(line, sizeof(line),
		 "seekless top - %zu process%s, calls per second, each %g s, by %s%s%s",
		 v->watch->n, v->watch->n == 1 ? "" : "es", v->interval, order_name(&v->order),
		 v->order.reverse ? " reversed" : "", v->paused ? ", PAUSED" : "");
	put(0, line, A_BOLD);
}

/* The head of the column that orders stands out from the others. */
static void draw_head(const struct view *v, const struct layout *l)
{
	char line[LINE_MOST];

	table_head(l, line, sizeof(line));
	put(1, line, A_REVERSE);
	for (int i = 0; i < l->n; i++)
		if (l->column[i] == v->order.column)
			mvchgat(1, l->at[i], l->width[i], A_BOLD | A_UNDERLINE, 0, NULL);
}

static void draw_nobody(const struct view *v)
{
	put(3, "No process has the library in it.  Start one:", A_NORMAL);
	put(4, "  seekless run -- PROGRAM", A_NORMAL);
	if (v->watch->some_forbidden)
		put(5, "Some may not be read; root may read all.", A_NORMAL);
}

/* A third for the table, the rest for the one that is selected. */
static int rows_of_table(const struct view *v)
{
	int rows = LINES - 3, third = rows / 3 > 1 ? rows / 3 : 1;

	if (!v->detail || !v->watch->n)
		return rows;
	return v->watch->n < (size_t)third ? (int)v->watch->n : third;
}

static void draw_table(struct view *v, const struct layout *l)
{
	char line[LINE_MOST];

	v->page = (size_t)rows_of_table(v);
	if (v->row < v->top)
		v->top = v->row;
	if (v->row >= v->top + v->page)
		v->top = v->row - v->page + 1;
	if (v->top && v->top + v->page > v->watch->n)
		v->top = v->watch->n > v->page ? v->watch->n - v->page : 0;
	for (size_t i = 0; i < v->page && v->top + i < v->watch->n; i++) {
		table_row(l, v->watch->shown[v->top + i], line, sizeof(line));
		put(2 + (int)i, line, v->top + i == v->row ? A_REVERSE : A_NORMAL);
	}
}

static void draw_detail(struct view *v)
{
	int y = 2 + rows_of_table(v);
	size_t rows = (size_t)(LINES - 2 - y), most;

	if (LINES - 2 - y < 1 || !v->watch->n)
		return;
	mvhline(y, 0, 0, COLS);
	detail_lines(&v->lines, v->watch->shown[v->row]);
	most = v->lines.n > rows ? v->lines.n - rows : 0;
	if (v->first_line > most)
		v->first_line = most;
	for (size_t i = 0; i < rows && v->first_line + i < v->lines.n; i++)
		put(y + 1 + (int)i, v->lines.line[v->first_line + i], A_NORMAL);
	if (v->first_line < most)
		put(LINES - 2, "... more: ] goes down, [ up", A_DIM);
}

static void draw_help(void)
{
	static const char *const lines[] = {
		"up down PgUp PgDn Home End  select a process",
		"Enter d    why calls are passed, and files",
		"[ ]        up and down in these lines",
		"< > s      order by the column beside",
		"r          the other way round",
		"+ -        look more rarely, more often",
		"space      look now",
		"p          pause",
		"h ?        this; any key ends it",
		"q          quit",
		"",
		"SAVED: lseeks answered without the kernel,",
		"of them SET to a place, CUR relative to the offset, END from the end (by an "
		"fstat).",
		"READ, WRITE: made positioned.  PASS: calls passed to the kernel.",
		"RETRY: repeated or waiting, as several threads used one description.",
		"TOTAL: lseeks saved since the program's start.",
	};

	for (int i = 0; i < (int)(sizeof(lines) / sizeof(*lines)) && 2 + i < LINES - 1; i++)
		put(2 + i, lines[i], A_NORMAL);
}

static void draw(struct view *v)
{
	struct layout l;

	erase();
	if (LINES < LEAST_ROWS || COLS < LEAST_COLUMNS) {
		put(0, "too small", A_NORMAL);
		refresh();
		return;
	}
	table_layout(&l, COLS < LINE_MOST / 4 ? COLS : LINE_MOST / 4);
	draw_title(v);
	if (v->help) {
		draw_help();
	} else if (v->watch->n) {
		draw_head(v, &l);
		draw_table(v, &l);
		if (v->detail)
			draw_detail(v);
	} else {
		draw_nobody(v);
	}
	put(LINES - 1, "q quit  h help  Enter detail  <> order  r reverse  p pause  +- interval",
	    A_DIM);
	refresh();
}

static bool look(struct view *v)
{
	if (!watch_look(v->watch))
		return false;
	view_order(v);
	return true;
}

/* Until somebody wants it to end.  False: it cannot go on, see errno. */
static bool loop(struct view *v)
{
	double next = seconds_now();

	for (;;) {
		double now = seconds_now();
		bool wanted = !v->paused && now >= next;
		int key;

		if (wanted && !look(v))
			return false;
		if (wanted) /* the second look soon, for the first figures */
			next = now + (next == now ? 0.2 : v->interval);
		draw(v);
		if (!terminal_wait(v->paused ? 3600 : next - seconds_now()))
			return true;
		while ((key = getch()) != ERR)
			if (view_key(v, key))
				next = now;
		if (v->quits)
			return true;
		if (next > seconds_now() + v->interval)
			next = seconds_now() + v->interval;
	}
}

int screen_run(struct watch *w, double interval)
{
	struct view v = {.watch = w, .order = FIRST_ORDER, .interval = interval};
	int error;
	bool ok;

	if (!terminal_begin())
		return EXIT_CANNOT;
	ok = loop(&v);
	error = errno;
	terminal_end();
	free(v.lines.line);
	if (ok)
		return EXIT_SUCCESS;
	errno = error;
	say("cannot list the processes in /proc: %m");
	return EXIT_CANNOT;
}

#endif
