// SPDX-License-Identifier: MIT
/* What is known of a process, written down in three forms. */
#ifndef SEEKLESS_SHOW_H
#define SEEKLESS_SHOW_H

#include "process.h"

/* "on", "off", "audit", "idle" or "retired". */
const char *process_state(const struct process *p);

/* "saved 2435 of 2440 lseeks (99.7 %)", and what for; see struct lseeks. */
void lseeks_text(const struct process *p, char *line, size_t size);

/* The numbers that are counted by reason, behind the kinds. */
struct by_reason {
	const char *group, *words;
};
extern const struct by_reason by_reason[3];

/* For people. */
void show_text(const struct process *p);
/* One line, as tools/report.schema.json describes it; the library writes the same in its report. */
void show_json(const struct process *p);
/* For Prometheus's text format, which wants all lines of a metric together. */
void show_prometheus(const struct process *p, size_t n);

/* The followed numbers of which most was saved first; to be freed.  *n: how many, at most `most`. */
struct followed *best_files(const struct process *p, size_t *n, size_t most);

#endif
