// SPDX-License-Identifier: MIT
/* `seekless top`: processes that are looked at again and again, as a table. */
#ifndef SEEKLESS_TOP_H
#define SEEKLESS_TOP_H

#include "process.h"

/* ---- top_watch.c: the processes ---- */

struct watched {
	struct process p;
	uint64_t *before; /* p.n at the look before */
	double seconds;	  /* between the two; 0: there was but one */
	double looked_at; /* by seconds_now */

	/* See watch_files. */
	struct followed *files, *files_before;
	size_t n_files, n_files_before;
	double files_at, files_seconds;
};

struct seen; /* a process that has the library or has it not */
struct watch {
	struct seen *seen;
	size_t n_seen;
	struct watched **shown; /* those that have it */
	size_t n;
	bool some_forbidden; /* that might have it */
};

/* Looks at all of them; false: errno says why that cannot be. */
bool watch_look(struct watch *w);
/* The descriptors of one, for file_rate. */
void watch_files(struct watched *w);
void watch_end(struct watch *w);
double seconds_now(void);

/* Calls per second of p.n[i]; of the lseeks saved on files[i]; -1: not known yet. */
double counter_rate(const struct watched *w, size_t i);
double file_rate(const struct watched *w, size_t i);

/* ---- top_table.c: one line for each ---- */

enum { COLUMNS_MAX = 16, PROGRAM_LEAST = 8 };
struct layout {
	int n, column[COLUMNS_MAX], at[COLUMNS_MAX], width[COLUMNS_MAX];
};
void table_layout(struct layout *l, int width);
void table_head(const struct layout *l, char *line, size_t size);
void table_row(const struct layout *l, const struct watched *w, char *line, size_t size);

struct order {
	int column;
	bool reverse;
};
#define FIRST_ORDER ((struct order){.column = COLUMN_SAVED})
enum { COLUMN_SAVED = 3 };
/* To the column before or behind, in a circle. */
void order_step(struct order *o, int step);
void order_apply(const struct order *o, struct watch *w);
const char *order_name(const struct order *o);

/* "12.3k", "-" for less than 0: at most five characters. */
void number_text(char *to, size_t size, double n);

/* ---- top_detail.c: what there is to be said of one ---- */

struct lines {
	char (*line)[512];
	size_t n, room;
};
/* Anew; to be freed is l->line. */
void detail_lines(struct lines *l, struct watched *w);

/* ---- top_screen.c ---- */

/* Until it is left; the exit status. */
int screen_run(struct watch *w, double interval);

#endif
