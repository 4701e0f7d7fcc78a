// SPDX-License-Identifier: MIT
/* What an audited program's processes have reported, and those that still run. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit.h"
#include "seekless.h"

static bool is_same(const struct told *a, const struct told *b)
{
	return a->pid == b->pid && a->started == b->started && !strcmp(a->program, b->program);
}

void told_add(struct told_list *l, struct told *t)
{
	for (size_t i = 0; i < l->n; i++)
		if (is_same(&l->list[i], t)) {
			told_free(&l->list[i]);
			l->list[i] = *t;
			return;
		}
	l->list = realloc(l->list, (l->n + 1) * sizeof(*t));
	if (!l->list)
		abort();
	l->list[l->n++] = *t;
}

void told_drop(struct told_list *l, pid_t pid, uint64_t started)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (l->list[i].pid == pid && l->list[i].started == started)
			told_free(&l->list[i]);
		else
			l->list[n++] = l->list[i];
	}
	l->n = n;
}

/* A process of another user may have written it: no links, pipes or devices. */
static FILE *open_report(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	FILE *f = fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) ? NULL : fdopen(fd, "r");

	if (!f && fd >= 0)
		close(fd);
	return f;
}

static void read_report(int folder, const char *name, struct told_list *l)
{
	FILE *f = open_report(folder, name);
	char *line = NULL;
	bool complete = f, any = false;
	size_t room = 0;
	ssize_t n;

	while (f && (n = getline(&line, &room, f)) > 0) {
		struct told t;

		any = true;
		if (n == 1 && *line == '\n')
			continue;
		complete = line[n - 1] == '\n' && strlen(line) == (size_t)n;
		line[n - 1] = '\0';
		if (complete && told_read(line, &t)) {
			told_add(l, &t);
			line = NULL;
			room = 0;
		} else {
			complete = false;
		}
	}
	free(line);
	if (f)
		fclose(f);
	if (!complete || !any)
		say("the report of process %s cannot be read, and is not counted; is the disk "
		    "full?",
		    name);
}

static bool is_number(const char *name)
{
	return *name && strspn(name, "0123456789") == strlen(name);
}

void collect_reports(const char *folder, struct told_list *l)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (is_number(entry->d_name))
			read_report(dirfd(dir), entry->d_name, l);
	if (dir)
		closedir(dir);
}

/* Was it started with this word in its environment? */
static bool has_in_environment(const char *pid, const char *word)
{
	char path[300], *one = NULL;
	bool found = false;
	size_t room = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/environ", pid);
	f = fopen(path, "re");
	while (f && !found && getdelim(&one, &room, '\0', f) > 0)
		found = !strcmp(one, word);
	free(one);
	if (f)
		fclose(f);
	return found;
}

/* One that may not be read may be one: it is named all the same. */
static bool is_audited(pid_t pid, struct process *p)
{
	char why[512];
	enum attach as = process_attach(pid, p, why, sizeof(why));

	if (as == ATTACHED && p->root.state != SEEKLESS_AUDIT) {
		process_detach(p);
		return false;
	}
	return as == ATTACHED || as == NOT_ALLOWED || as == HIDDEN;
}

struct process *collect_running(const char *folder, size_t *n)
{
	DIR *proc = opendir("/proc");
	struct process *list = NULL;
	struct dirent *entry;
	char *word;

	*n = 0;
	if (asprintf(&word, "SEEKLESS_REPORT=%s/%%p", folder) < 0)
		abort();
	while (proc && (entry = readdir(proc))) {
		if (!is_number(entry->d_name) || !has_in_environment(entry->d_name, word))
			continue;
		list = realloc(list, (*n + 1) * sizeof(*list));
		if (!list)
			abort();
		*n += is_audited(atoi(entry->d_name), &list[*n]);
	}
	free(word);
	if (proc)
		closedir(proc);
	return list;
}
