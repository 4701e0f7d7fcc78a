// SPDX-License-Identifier: MIT
/* A process's counters for people, in the words of the library's own report. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "show.h"

const struct by_reason by_reason[3] = {
	{"pass.why.", "passed: "},
	{"back.", "handed back: "},
	{"gone.", "let go: "},
};

enum state { ON, OFF, AUDIT, IDLE, RETIRED };
static const struct {
	const char *name, *more;
} states[] = {
	[ON] = {"on", NULL},
	[OFF] = {"off", "by `seekless off`"},
	[AUDIT] = {"audit", "the kernel makes every call, and this is what would have been"},
	[IDLE] = {"idle", "SEEKLESS does not say on, or not for this program"},
	[RETIRED] = {"retired", "it has given up for good, and the reason is among the last lines"},
};

static enum state state_of(const struct process *p)
{
	if (p->root.state == SEEKLESS_IDLE)
		return IDLE;
	if (p->retired)
		return RETIRED;
	if (p->off)
		return OFF;
	return p->root.state == SEEKLESS_AUDIT ? AUDIT : ON;
}

const char *process_state(const struct process *p)
{
	return states[state_of(p)].name;
}

void lseeks_text(const struct process *p, char *line, size_t size)
{
	struct lseeks l = process_lseeks(p);
	/* Rounded down, so that 100 % is all. */
	unsigned thousandths = l.saved < l.made
				       ? (unsigned)((double)l.saved / (double)l.made * 1000)
			       : l.made ? 1000
					: 0;
	int n;

	n = snprintf(line, size, "%ssaved %" PRIu64 " of %" PRIu64 " lseeks (%u.%u %%)",
		     p->root.state == SEEKLESS_AUDIT ? "would have " : "", l.saved, l.made, thousandths / 10, thousandths % 10);
	if (l.by_fstat && n < (int)size)
		n += snprintf(line + n, size - (size_t)n, ", %" PRIu64 " by fstat", l.by_fstat);
	if (l.handed_back && n < (int)size)
		snprintf(line + n, size - (size_t)n, "; %" PRIu64 " offset%s handed back by lseek",
			 l.handed_back, l.handed_back == 1 ? "" : "s");
}

static int more_saved(const void *a, const void *b)
{
	const struct followed *x = a, *y = b;

	if (x->saved != y->saved)
		return x->saved < y->saved ? 1 : -1;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->fd - y->fd;
}

struct followed *best_files(const struct process *p, size_t *n, size_t most)
{
	struct followed *f;
	size_t kept = 0;

	if (!process_followed(p, &f, n))
		return NULL;
	qsort(f, *n, sizeof(*f), more_saved);
	/* Numbers that are one description gain together: the smallest stands for them. */
	for (size_t i = 0; i < *n; i++)
		if (!kept || f[i].at != f[kept - 1].at)
			f[kept++] = f[i];
	*n = kept;
	if (*n > most)
		*n = most;
	while (*n && !f[*n - 1].saved)
		--*n;
	return f;
}

/* On a terminal, a line that is too long goes on below, behind the number. */
static void put_folded(const char *text)
{
	enum { NUMBER = 16, LEAST = 20 };
	struct winsize size = {0};
	size_t room = SIZE_MAX, indent = 0;

	if (isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) &&
	    size.ws_col >= NUMBER + LEAST)
		room = size.ws_col;
	while (strlen(text) > room - indent) {
		size_t n = room - indent;

		while (n > LEAST && text[n] != ' ')
			n--;
		printf("%*s%.*s\n", (int)indent, "", (int)n, text);
		text += n + (text[n] == ' ');
		indent = NUMBER;
	}
	printf("%*s%s\n", (int)indent, "", text);
}

static void line(uint64_t n, const char *before, const char *words, const char *group,
		 const char *key)
{
	char *text;

	if (!n ||
	    asprintf(&text, "  %12" PRIu64 "  %s%s  (%s%s)", n, before, words, group, key) < 0)
		return;
	put_folded(text);
	free(text);
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

static void show_kept_files(const struct process *p)
{
	size_t n;
	struct seekless_file *f = process_files(p, &n, 32);

	for (size_t i = 0; i < n; i++)
		printf("  %12" PRIu64 "  lseeks saved on %s  (file)\n", f[i].saved, f[i].path);
	free(f);
}

void show_text(const struct process *p)
{
	char line[256];
	size_t n;
	struct followed *f;

	printf("seekless %s pid %d program %s", p->root.version, (int)p->pid, p->program);
	if (states[state_of(p)].more)
		printf(", %s: %s", process_state(p), states[state_of(p)].more);
	putchar('\n');
	lseeks_text(p, line, sizeof(line));
	printf("  %s\n", line);
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
	show_kept_files(p);
	printf("end pid %d\n", (int)p->pid);
}
