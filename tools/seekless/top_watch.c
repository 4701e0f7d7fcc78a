// SPDX-License-Identifier: MIT
/*
 * The processes that `seekless top` looks at.  /proc is listed at each look; its inodes tell whether a
 * number is still the same process.  Who has no library is remembered: its maps are read again when
 * it executes another file, and now and then, more rarely each time.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "top.h"

struct seen {
	struct listed who;
	dev_t exe_device; /* 0: it cannot be told */
	ino_t exe_inode;
	double next_look, pause; /* in seconds; while it has no library that can be read */
	bool forbidden;
	struct watched *watched; /* else NULL */
};

double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void forget(struct seen *s)
{
	struct watched *w = s->watched;

	s->watched = NULL;
	if (!w)
		return;
	process_detach(&w->p);
	free(w->before);
	free(w->files);
	free(w->files_before);
	free(w);
}

static bool executes_another(struct seen *s)
{
	char path[64];
	struct stat st;
	bool other;

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)s->who.pid);
	if (stat(path, &st))
		st.st_dev = st.st_ino = 0;
	other = st.st_dev != s->exe_device || st.st_ino != s->exe_inode;
	s->exe_device = st.st_dev;
	s->exe_inode = st.st_ino;
	return other;
}

/* Has it the library? */
static void look_inside(struct seen *s, double now)
{
	enum { LONGEST_PAUSE = 10 };
	struct watched *w;
	char why[512];
	enum attach as;

	if (executes_another(s))
		s->pause = s->next_look = 0;
	if (now < s->next_look)
		return;
	w = calloc(1, sizeof(*w));
	if (!w)
		return;
	as = process_attach(s->who.pid, &w->p, why, sizeof(why));
	s->forbidden = as == NOT_ALLOWED;
	if (as == ATTACHED && (w->before = calloc(w->p.root.n, sizeof(*w->before)))) {
		w->looked_at = now;
		s->watched = w;
		return;
	}
	process_detach(&w->p);
	free(w);
	s->pause = s->pause ? 2 * s->pause : 0.5; /* the loader may be at work */
	if (s->pause > LONGEST_PAUSE)
		s->pause = LONGEST_PAUSE;
	/* Not all of them at the same look. */
	s->next_look = now + s->pause * (0.75 + s->who.pid % 32 / 64.0);
}

static void look_at(struct seen *s, double now)
{
	struct watched *w = s->watched;

	if (w) {
		memcpy(w->before, w->p.n, w->p.root.n * sizeof(*w->before));
		w->seconds = now - w->looked_at;
		w->looked_at = now;
		if (process_count(&w->p))
			return;
		/* Ended, or another program by now. */
		forget(s);
		s->pause = s->next_look = 0;
	}
	look_inside(s, now);
}

/* What is known, for the processes that there are now. */
static struct seen *carry_over(struct watch *w, const struct listed *list, size_t n)
{
	struct seen *seen = calloc(n, sizeof(*seen)), *old = w->seen, *end = old + w->n_seen;

	for (size_t i = 0; seen && i < n; i++) {
		while (old < end && old->who.pid < list[i].pid)
			forget(old++);
		seen[i].who = list[i];
		if (old < end && old->who.pid == list[i].pid) {
			if (old->who.inode == list[i].inode)
				seen[i] = *old;
			else
				forget(old);
			old++;
		}
	}
	while (seen && old < end)
		forget(old++);
	return seen;
}

bool watch_look(struct watch *w)
{
	size_t n;
	struct listed *list = process_list(&n);
	struct seen *seen = list ? carry_over(w, list, n) : NULL;
	struct watched **shown = seen ? calloc(n, sizeof(struct watched *)) : NULL;
	double now = seconds_now();

	free(list);
	if (!seen)
		return false;
	free(w->seen);
	w->seen = seen;
	w->n_seen = n;
	if (!shown)
		return false;
	free(w->shown);
	w->shown = shown;
	w->n = 0;
	w->some_forbidden = false;
	for (size_t i = 0; i < n; i++) {
		look_at(&seen[i], now);
		w->some_forbidden |= seen[i].forbidden;
		if (seen[i].watched)
			w->shown[w->n++] = seen[i].watched;
	}
	return true;
}

void watch_end(struct watch *w)
{
	for (size_t i = 0; i < w->n_seen; i++)
		forget(&w->seen[i]);
	free(w->seen);
	free(w->shown);
	memset(w, 0, sizeof(*w));
}

/* Threads count while they are added up: a sum may seem to shrink. */
double counter_rate(const struct watched *w, size_t i)
{
	if (w->seconds <= 0)
		return -1;
	return w->p.n[i] > w->before[i] ? (double)(w->p.n[i] - w->before[i]) / w->seconds : 0;
}

/* ---- files ---- */

void watch_files(struct watched *w)
{
	double now = seconds_now();

	free(w->files_before);
	w->files_before = w->files;
	w->n_files_before = w->n_files;
	w->files_seconds = w->files_at > 0 ? now - w->files_at : 0;
	w->files_at = now;
	if (process_followed(&w->p, &w->files, &w->n_files))
		return;
	/* It has ended. */
	w->files = NULL;
	w->n_files = 0;
}

/* Both lists are in the order of the numbers. */
double file_rate(const struct watched *w, size_t i)
{
	const struct followed *f = &w->files[i];
	size_t low = 0, high = w->n_files_before;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (w->files_before[middle].fd < f->fd)
			low = middle + 1;
		else
			high = middle;
	}
	if (w->files_seconds <= 0)
		return -1;
	/* Saved less than before: it is another file's description by now. */
	if (low < w->n_files_before && w->files_before[low].fd == f->fd &&
	    w->files_before[low].at == f->at && w->files_before[low].saved <= f->saved)
		return (f->saved - w->files_before[low].saved) / w->files_seconds;
	return f->saved / w->files_seconds;
}
