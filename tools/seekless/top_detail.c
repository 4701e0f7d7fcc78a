// SPDX-License-Identifier: MIT
/* What `seekless top` says about one process, most first. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "printable.h"
#include "show.h"
#include "top.h"

static __attribute__((format(printf, 2, 3))) void add(struct lines *l, const char *format, ...)
{
	va_list args;

	if (l->n == l->room) {
		size_t room = l->room ? 2 * l->room : 64;
		void *more = realloc(l->line, room * sizeof(*l->line));

		if (!more)
			return;
		l->line = more;
		l->room = room;
	}
	va_start(args, format);
	vsnprintf(l->line[l->n++], sizeof(*l->line), format, args);
	va_end(args);
}

/* A line of a list that is to be put into order. */
struct entry {
	double rate, total;
	size_t i;
};

static int more_first(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->rate != y->rate)
		return x->rate < y->rate ? 1 : -1;
	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	return (x->i > y->i) - (x->i < y->i);
}

static void add_entry(struct lines *l, const struct entry *e, const char *words)
{
	char rate[32], total[32];

	number_text(rate, sizeof(rate), e->rate);
	number_text(total, sizeof(total), e->total);
	add(l, "%6s %6s  %s", rate, total, words);
}

static void add_reasons(struct lines *l, const struct watched *w, uint32_t group, const char *head)
{
	const struct seekless_root *r = &w->p.root;
	size_t first = r->kinds + group * r->reasons, n = 0;
	struct entry *e = calloc(r->reasons, sizeof(*e));

	for (size_t i = 0; e && i < r->reasons; i++)
		if (w->p.n[first + i])
			e[n++] = (struct entry){counter_rate(w, first + i),
						(double)w->p.n[first + i], i};
	if (n) {
		qsort(e, n, sizeof(*e), more_first);
		add(l, "  /s    total  %s", head);
	}
	for (size_t i = 0; i < n; i++)
		add_entry(l, &e[i], w->p.words[r->kinds + e[i].i]);
	free(e);
}

/* Numbers that are one description gain together: one of them stands for all. */
static bool is_shown(const struct watched *w, const struct entry *e, size_t n, size_t i)
{
	while (n--)
		if (w->files[e[n].i].at == w->files[i].at)
			return true;
	return false;
}

static void add_file(struct lines *l, const struct watched *w, const struct entry *e)
{
	char path[4096], words[4224];
	int fd = w->files[e->i].fd;

	if (!process_path(&w->p, fd, path, sizeof(path)))
		return;
	snprintf(words, sizeof(words), "%s  (fd %d)", path, fd);
	add_entry(l, e, words);
}

static void add_files(struct lines *l, const struct watched *w)
{
	enum { MOST_FILES = 10 };
	struct entry *e = calloc(w->n_files + 1, sizeof(*e));
	size_t n = 0;

	for (size_t i = 0; e && i < w->n_files; i++)
		if (w->files[i].saved)
			e[n++] = (struct entry){file_rate(w, i), w->files[i].saved, i};
	if (n) {
		qsort(e, n, sizeof(*e), more_first);
		add(l, "  /s    total  lseeks saved, by file");
	}
	for (size_t i = 0, kept = 0; i < n && kept < MOST_FILES; i++) {
		if (is_shown(w, e, kept, e[i].i))
			continue;
		e[kept++] = e[i];
		add_file(l, w, &e[i]);
	}
	free(e);
}

/* Its command line, the words apart. */
static void add_words(struct lines *l, const struct watched *w)
{
	char words[400] = "";
	size_t n = 0;
	FILE *f = process_open(w->p.pid, "cmdline");

	if (f) {
		n = fread(words, 1, sizeof(words) - 1, f);
		fclose(f);
	}
	while (n && !words[n - 1])
		n--;
	for (size_t i = 0; i < n; i++)
		if (!words[i])
			words[i] = ' ';
	words[n] = '\0';
	make_printable(words);
	add(l, "%d %s: %s", (int)w->p.pid, process_state(&w->p), words);
}

void detail_lines(struct lines *l, struct watched *w)
{
	char line[256];

	if (w->files_at < w->looked_at)
		watch_files(w);
	l->n = 0;
	add_words(l, w);
	lseeks_text(&w->p, line, sizeof(line));
	add(l, "%s", line);
	add_reasons(l, w, 0, "calls passed to the kernel, because");
	add_reasons(l, w, 1, "offsets handed back to the kernel, because");
	add_reasons(l, w, 2, "descriptors let go for good, because");
	add_files(l, w);
}
