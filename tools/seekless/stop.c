// SPDX-License-Identifier: MIT
/* Stops the threads of another process, and lets them run on. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

#include "stop.h"

enum { PATIENCE_MS = 200 };

static void nap(long microseconds)
{
	nanosleep(&(struct timespec){0, microseconds * 1000}, NULL);
}

static struct stopped_thread *find(const struct stopped *s, pid_t tid)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->threads[i].tid == tid)
			return &s->threads[i];
	return NULL;
}

/* A first thread that has ended stays as a zombie while the others run. */
static bool is_dead(pid_t pid, pid_t tid)
{
	char path[64], line[512] = "", *end;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", (int)pid, (int)tid);
	f = fopen(path, "re");
	if (!f)
		return true;
	if (!fgets(line, sizeof(line), f))
		*line = '\0';
	fclose(f);
	end = strrchr(line, ')');
	return !end || strchr("ZXx", end[2]);
}

static bool add(struct stopped *s, pid_t tid)
{
	struct stopped_thread *more = realloc(s->threads, (s->n + 1) * sizeof(*more));

	if (!more)
		return false;
	s->threads = more;
	s->threads[s->n++] = (struct stopped_thread){.tid = tid};
	return true;
}

/* Tells those that have not been told; how many, or -1 and *culprit. */
static int tell_new_ones(pid_t pid, struct stopped *s, pid_t *culprit)
{
	char path[64];
	struct dirent *entry;
	DIR *tasks;
	int told = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tasks = opendir(path);
	while (tasks && told >= 0 && (entry = readdir(tasks))) {
		pid_t tid = atoi(entry->d_name);

		if (tid <= 0 || find(s, tid))
			continue;
		if (!ptrace(PTRACE_SEIZE, tid, 0, 0) && add(s, tid)) {
			ptrace(PTRACE_INTERRUPT, tid, 0, 0);
			told++;
		} else if (errno != ESRCH && !is_dead(pid, tid)) {
			*culprit = tid;
			told = -1;
		}
	}
	if (tasks) {
		int saved = errno;

		closedir(tasks);
		errno = saved;
	}
	return told;
}

/* Which have stopped by now; how many have not, one of them in *culprit. */
static size_t look_round(struct stopped *s, pid_t *culprit)
{
	size_t running = 0;

	for (size_t i = 0; i < s->n; i++) {
		struct stopped_thread *t = &s->threads[i];
		int status;
		pid_t got;

		if (t->stops)
			continue;
		got = waitpid(t->tid, &status, __WALL | WNOHANG);
		if (got == t->tid && WIFSTOPPED(status)) {
			t->stops = true;
			/* Stopped on the way to a signal's delivery, not by us. */
			t->signal = status >> 16 ? 0 : WSTOPSIG(status);
		} else if (got) { /* it has ended */
			*t-- = s->threads[--s->n];
			i--;
		} else {
			*culprit = t->tid;
			running++;
		}
	}
	return running;
}

void stop_end(struct stopped *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->threads[i].stops)
			ptrace(PTRACE_DETACH, s->threads[i].tid, 0, s->threads[i].signal);
	free(s->threads);
	*s = (struct stopped){NULL, 0};
}

enum stop stop_all(pid_t pid, struct stopped *s, pid_t *culprit)
{
	*s = (struct stopped){NULL, 0};
	for (int rounds = 0; rounds < PATIENCE_MS * 5; rounds++) {
		int told = tell_new_ones(pid, s, culprit);

		if (told < 0) {
			int saved = errno;

			stop_end(s);
			errno = saved;
			return STOP_FORBIDDEN;
		}
		if (!look_round(s, culprit) && !told) {
			if (s->n)
				return ALL_STOPPED;
			free(s->threads);
			return ALL_GONE;
		}
		nap(200);
	}
	stop_end(s);
	return ONE_RUNS_ON;
}
