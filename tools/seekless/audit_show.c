// SPDX-License-Identifier: MIT
/* What an audit has found, for people: by program, by reason, by file, and every disagreement. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"

enum { MOST_REASONS = 5, MOST_BEST = 10 };

/* The processes of one program. */
struct group {
	const struct told_list *l;
	const char *program;
};

static uint64_t sum(const struct group *g, const char *key)
{
	uint64_t n = 0;

	for (size_t i = 0; i < g->l->n; i++)
		if (!strcmp(g->l->list[i].program, g->program))
			n += told_counter(&g->l->list[i], key);
	return n;
}

static double percent(uint64_t n, uint64_t of)
{
	return of ? 100.0 * (double)n / (double)of : 0;
}

static void line(uint64_t n, const char *words)
{
	if (n)
		printf("  %12" PRIu64 "  %s\n", n, words);
}

/* ---- reasons ---- */

struct reason {
	const char *key, *words;
	uint64_t n;
};

static int more(const void *a, const void *b)
{
	uint64_t x = ((const struct reason *)a)->n, y = ((const struct reason *)b)->n;

	return (x < y) - (x > y);
}

static void show_reasons(const struct group *g)
{
	struct reason reasons[] = {
#define REASON(name, words) {"pass.why." #name, words, 0},
#include "../../shim/reasons.def"
#undef REASON
	};
	enum { REASONS = sizeof(reasons) / sizeof(*reasons) };
	uint64_t all = 0, shown = 0;

	for (int i = 0; i < REASONS; i++)
		all += reasons[i].n = sum(g, reasons[i].key);
	qsort(reasons, REASONS, sizeof(*reasons), more);
	line(all, "calls would have been passed to the kernel as they are, of these");
	for (int i = 0; i < MOST_REASONS && reasons[i].n; i++) {
		printf("  %12" PRIu64 "    %s\n", reasons[i].n, reasons[i].words);
		shown += reasons[i].n;
	}
	if (all > shown)
		printf("  %12" PRIu64 "    for other reasons\n", all - shown);
}

/* ---- files ---- */

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct told_file *)a)->path, ((const struct told_file *)b)->path);
}

static int more_saved(const void *a, const void *b)
{
	uint64_t x = ((const struct told_file *)a)->saved, y = ((const struct told_file *)b)->saved;

	return (x < y) - (x > y);
}

static size_t list_files(const struct group *g, struct told_file **files)
{
	size_t n = 0, merged = 0;
	struct told_file *all = NULL;

	for (size_t i = 0; i < g->l->n; i++) {
		const struct told *t = &g->l->list[i];

		if (!t->n_files || strcmp(t->program, g->program))
			continue;
		all = realloc(all, (n + t->n_files) * sizeof(*all));
		if (!all)
			abort();
		memcpy(all + n, t->files, t->n_files * sizeof(*all));
		n += t->n_files;
	}
	*files = all;
	if (!n)
		return 0;
	qsort(all, n, sizeof(*all), by_path);
	for (size_t i = 1; i < n; i++) {
		if (strcmp(all[i].path, all[merged].path)) {
			all[++merged] = all[i];
			continue;
		}
		all[merged].saved += all[i].saved;
		all[merged].calls += all[i].calls;
	}
	qsort(all, merged + 1, sizeof(*all), more_saved);
	return merged + 1;
}

static void show_files(const struct group *g)
{
	struct told_file *files;
	size_t n = list_files(g, &files);

	for (size_t i = 0; i < n && i < MOST_BEST; i++)
		printf("  %12" PRIu64 "  of %" PRIu64 " calls would have been saved on %s\n",
		       files[i].saved, files[i].calls, files[i].path);
	if (n > MOST_BEST)
		printf("  %12s  and on %zu files more\n", "", n - MOST_BEST);
	free(files);
}

/* ---- a program ---- */

static uint64_t saved_lseeks(const struct group *g)
{
	return sum(g, "seek.set") + sum(g, "seek.cur");
}

/* To take an offset costs an fstat, unless the program has made one. */
static void show_saved(uint64_t saved, uint64_t lseeks, uint64_t taken, uint64_t all)
{
	uint64_t fewer = saved > taken ? saved - taken : 0;

	printf("  %12" PRIu64 "  lseeks would have been saved", saved);
	if (saved)
		printf(": %.1f %% of them\n  %12" PRIu64 "  system calls less, at least: %.1f %% of"
		       " these (%" PRIu64 " offsets taken, by an fstat at most)",
		       percent(saved, lseeks), fewer, percent(fewer, all), taken);
	putchar('\n');
}

static void show_program(const struct group *g)
{
	uint64_t saved = saved_lseeks(g), others = sum(g, "pass.other");
	uint64_t lseeks = saved + sum(g, "seek.end") + sum(g, "seek.asked") + sum(g, "pass.lseek");
	uint64_t reads = sum(g, "read.positioned") + sum(g, "pass.read");
	uint64_t writes =
		sum(g, "write.positioned") + sum(g, "write.append") + sum(g, "pass.write");
	uint64_t all = lseeks + reads + writes + others;
	size_t processes = 0;

	for (size_t i = 0; i < g->l->n; i++)
		processes += !strcmp(g->l->list[i].program, g->program);
	printf("%s, %zu process%s:%s\n", g->program, processes, processes == 1 ? "" : "es",
	       all ? "" : " no calls on descriptors");
	if (!all)
		return;
	printf("  %12" PRIu64 "  calls on descriptors: %" PRIu64 " lseeks, %" PRIu64
	       " reads, %" PRIu64 " writes, %" PRIu64 " others\n",
	       all, lseeks, reads, writes, others);
	show_saved(saved, lseeks, sum(g, "take"), all);
	line(sum(g, "seek.end"), "seeks to the end would have been an fstat");
	line(sum(g, "read.positioned"), "reads would have been a pread");
	line(sum(g, "write.positioned"), "writes would have been a pwrite");
	show_reasons(g);
	show_files(g);
}

/* ---- disagreements ---- */

static void show_wrong(pid_t pid, const char *program, int fd, const char *path, const char *at,
		       int64_t kernel, int64_t library)
{
	printf("DISAGREEMENT in %s, process %d, fd %d %s, %s: the library would have %" PRId64
	       ", the kernel has %" PRId64 "\n",
	       program, (int)pid, fd, path, at, library, kernel);
}

static void show_disagreements(const struct told_list *l)
{
	uint64_t wrong = 0, shown = 0, compared = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct told *t = &l->list[i];

		for (size_t k = 0; k < t->n_wrongs; k++)
			show_wrong(t->pid, t->program, t->wrongs[k].fd, t->wrongs[k].path,
				   t->wrongs[k].at, t->wrongs[k].kernel, t->wrongs[k].library);
		shown += t->n_wrongs;
		wrong += told_counter(t, "audit.wrong");
		compared += told_counter(t, "audit.asked");
	}
	if (wrong > shown)
		printf("DISAGREEMENTS before these: %" PRIu64 "\n", wrong - shown);
	if (!wrong && compared)
		printf("no disagreement: the kernel was asked %" PRIu64
		       " times, and each lseek was compared\n",
		       compared);
	else if (!wrong)
		puts("no disagreement: the library would have kept no offset");
}

static int by_gain(const void *a, const void *b)
{
	uint64_t x = saved_lseeks(a), y = saved_lseeks(b);

	return (x < y) - (x > y);
}

void audit_show(const struct told_list *l)
{
	struct group *groups = calloc(l->n + 1, sizeof(*groups));
	size_t n = 0, k;

	for (size_t i = 0; groups && i < l->n; i++) {
		for (k = 0; k < n && strcmp(groups[k].program, l->list[i].program); k++)
			;
		if (k == n)
			groups[n++] = (struct group){l, l->list[i].program};
	}
	if (n)
		qsort(groups, n, sizeof(*groups), by_gain);
	for (size_t i = 0; i < n; i++)
		show_program(&groups[i]);
	show_disagreements(l);
	free(groups);
}

void audit_show_running(const struct process *p, size_t n)
{
	for (size_t i = 0; i < n; i++, p++) {
		struct disagreement d[16];
		size_t wrongs = p->n ? process_disagreements(p, d, 16) : 0;

		printf("still running, not counted: %s, process %d",
		       *p->program ? p->program : "(not to be read)", (int)p->pid);
		if (p->n)
			printf(", until now %" PRIu64 " lseeks would have been saved",
			       process_counter(p, "seek.set") + process_counter(p, "seek.cur"));
		putchar('\n');
		for (size_t k = 0; k < wrongs; k++)
			show_wrong(p->pid, p->program, d[k].fd, d[k].path, d[k].at, d[k].kernels,
				   d[k].ours);
	}
}
