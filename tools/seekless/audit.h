// SPDX-License-Identifier: MIT
/* What the files of `seekless audit` share. */
#ifndef SEEKLESS_AUDIT_H
#define SEEKLESS_AUDIT_H

#include "process.h"

/* A line of a report (tools/report.schema.json); the strings lie in one piece of memory. */
struct told_counter {
	const char *key;
	uint64_t n;
};
struct told_file {
	const char *path;
	uint64_t saved, calls;
};
struct told_wrong {
	int fd;
	const char *path, *at;
	int64_t kernel, library;
};
struct told {
	char *line; /* as it was, without its end */
	char *strings;
	pid_t pid;
	uint64_t started;
	const char *version, *program, *state;
	struct told_counter *counters;
	struct told_file *files;
	struct told_wrong *wrongs;
	size_t n_counters, n_files, n_wrongs;
};
/* The line becomes the report's; false: it is none, and nothing is kept. */
bool told_read(char *line, struct told *t);
void told_free(struct told *t);
uint64_t told_counter(const struct told *t, const char *key);

struct told_list {
	struct told *list;
	size_t n;
};
/* Later lines of the same program in the same process replace earlier ones. */
void told_add(struct told_list *l, struct told *t);
/* What still runs, and reported before an exec that failed. */
void told_drop(struct told_list *l, pid_t pid, uint64_t started);

/* All reports of a folder; each one that cannot be read is said. */
void collect_reports(const char *folder, struct told_list *l);
/* The processes that were started to report to this folder, and still run; to be detached and freed. */
struct process *collect_running(const char *folder, size_t *n);

/* Prints to standard output. */
void audit_show(const struct told_list *l);
void audit_show_running(const struct process *p, size_t n);

/* Starts the program, waits, and passes signals on; its exit status as a shell has it, or -1 after a line. */
int child_run(char **args, int *cannot_run);

#endif
