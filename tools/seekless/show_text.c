// SPDX-License-Identifier: MIT
/* A process's counters for people, in the words of the library's own report. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "show.h"

const struct by_reason by_reason[3] = {
	{"pass.why.", "passed: "},
	{"back.", "handed back: "},
	{"gone.", "let go: "},
};

const char *process_state(const struct process *p)
{
	if (p->root.state == SEEKLESS_IDLE)
		return "idle";
	if (p->retired)
		return "retired";
	if (p->off)
		return "off";
	return p->root.state == SEEKLESS_AUDIT ? "audit" : "on";
}

static int more_saved(const void *a, const void *b)
{
	const struct followed *x = a, *y = b;

	return (x->saved < y->saved) - (x->saved > y->saved);
}

struct followed *best_files(const struct process *p, size_t *n, size_t most)
{
	struct followed *f;

	if (!process_followed(p, &f, n))
		return NULL;
	qsort(f, *n, sizeof(*f), more_saved);
	if (*n > most)
		*n = most;
	while (*n && !f[*n - 1].saved)
		--*n;
	return f;
}

static void line(uint64_t n, const char *before, const char *words, const char *group,
		 const char *key)
{
	if (n)
		printf("  %12" PRIu64 "  %s%s  (%s%s)\n", n, before, words, group, key);
}

static void show_counters(const struct process *p)
{
	const struct seekless_root *r = &p->root;

	for (uint32_t i = 0; i < r->kinds; i++)
		line(p->n[i], "", p->words[i], "", p->key[i]);
	for (uint32_t k = 0; k < 3; k++)
		for (uint32_t i = 0; i < r->reasons; i++)
			line(p->n[r->kinds + k * r->reasons + i], by_reason[k].words,
			     p->words[r->kinds + i], by_reason[k].group, p->key[r->kinds + i]);
}

static void show_disagreements(const struct process *p)
{
	struct disagreement d[16];
	size_t n = process_disagreements(p, d, sizeof(d) / sizeof(*d));

	for (size_t i = 0; i < n; i++)
		printf("  the kernel has %" PRId64 ", the library would have %" PRId64
		       " %s on fd %d %s  (wrong)\n",
		       d[i].kernels, d[i].ours, d[i].at, d[i].fd, d[i].path);
}

void show_text(const struct process *p)
{
	static const char *const more[] = {
		"retired: it has given up for good, and the reason is among the last lines",
		"off, by `seekless off`",
		"audit: the kernel makes every call, and this is what would have been",
		"idle: SEEKLESS does not say on, or not for this program",
	};
	const char *state = process_state(p);
	size_t n;
	struct followed *f;

	printf("seekless %.15s pid %d program %s", p->root.version, (int)p->pid, p->program);
	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++)
		if (*state == *more[i] && state[1] == more[i][1])
			printf(", %s", more[i]);
	putchar('\n');
	show_counters(p);
	show_disagreements(p);
	f = best_files(p, &n, 5);
	for (size_t i = 0; f && i < n; i++) {
		char path[4096];

		if (process_path(p, f[i].fd, path, sizeof(path)))
			printf("  %12" PRIu32 "  lseeks saved on fd %d %s  (fd)\n", f[i].saved,
			       f[i].fd, path);
	}
	free(f);
	printf("end pid %d\n", (int)p->pid);
}
