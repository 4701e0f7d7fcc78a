// SPDX-License-Identifier: MIT
/* `seekless stat`: the counters of running processes. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seekless.h"
#include "show.h"

static const char help[] =
	"usage: seekless stat PID... [--json | --prometheus]\n"
	"       seekless stat --all [--json | --prometheus]\n"
	"       seekless stat --dir FOLDER [--json | --prometheus]\n"
	"\n"
	"What the library has done in running processes; --all: in each that can be read and\n"
	"has it.  They notice nothing: their memory is read (process_vm_readv), which asks for\n"
	"the rights of ptrace: the same user, or root.  --dir: those that were started with\n"
	"SEEKLESS_STATS=FOLDER, whoever they are; which file gains most is not told then.\n"
	"\n"
	"Lseeks saved are those that the library answered, of all that the program made\n"
	"where the library sees it; those that only the kernel could answer are not.  A size\n"
	"probe (an lseek from the end) costs an fstat, an offset handed back an lseek.\n"
	"\n"
	"  --json         one line of JSON for each process\n"
	"  --prometheus   Prometheus's text format, for the node exporter's textfile collector\n"
	"\n"
	"Exit status: 0; 1 if a process has no library that can be read (or with --all, if none\n"
	"has); 2 for a mistake in the words; 3 if there is no such process, or it may not be read.";

enum form { TEXT, JSON, PROMETHEUS };

struct wanted {
	enum form form;
	bool all;
	const char *dir;
	struct listed *pids;
	size_t n;
	struct process *found;
	size_t n_found;
	bool none_there; /* --all: the processes that could not be read may have it */
};

static bool add(struct wanted *w, const struct process *p)
{
	struct process *more = realloc(w->found, (w->n_found + 1) * sizeof(*p));

	if (!more)
		return false;
	w->found = more;
	w->found[w->n_found++] = *p;
	return true;
}

static int stat_pid(struct wanted *w, pid_t pid)
{
	char why[512];
	struct process p;
	enum attach as = process_attach(pid, &p, why, sizeof(why));

	if (as == ATTACHED) {
		if (add(w, &p))
			return EXIT_SUCCESS;
		process_detach(&p);
		say("%m");
		return EXIT_CANNOT;
	}
	if (w->all) {
		w->none_there |= as == NOT_ALLOWED;
		return EXIT_SUCCESS;
	}
	say("%s", why);
	return as == NO_LIBRARY || as == OTHER_ONE || as == HIDDEN ? EXIT_NO : EXIT_CANNOT;
}

static bool add_pid(struct wanted *w, pid_t pid)
{
	struct listed *more = realloc(w->pids, (w->n + 1) * sizeof(*more));

	if (!more)
		return false;
	w->pids = more;
	w->pids[w->n++] = (struct listed){.pid = pid};
	return true;
}

static bool take_words(struct wanted *w, char **args)
{
	for (; *args; args++) {
		pid_t pid = 0;

		if (!strcmp(*args, "--json")) {
			w->form = JSON;
		} else if (!strcmp(*args, "--prometheus")) {
			w->form = PROMETHEUS;
		} else if (!strcmp(*args, "--all")) {
			w->all = true;
		} else if (!strncmp(*args, "--dir", 5) && (!(*args)[5] || (*args)[5] == '=')) {
			w->dir = (*args)[5] ? *args + 6 : args[1] ? *++args : "";
		} else if (**args == '-') {
			say("unknown option '%s'; `seekless stat --help` lists what there is",
			    *args);
			return false;
		} else if (!(pid = process_number(*args)) || !add_pid(w, pid)) {
			return false;
		}
	}
	if (w->all + !!w->dir + (w->n > 0) != 1) {
		say(w->all || w->dir
			    ? "give process numbers, --all or --dir FOLDER, only one of them"
			    : "stat of which process? `seekless stat PID`, or --all");
		return false;
	}
	return true;
}

/* False after a line. */
static bool add_images(struct wanted *w)
{
	DIR *dir = opendir(w->dir);
	struct dirent *entry;
	struct process p;

	if (!dir) {
		say("cannot list the folder %s: %m", w->dir);
		return false;
	}
	while ((entry = readdir(dir)))
		if (process_attach_image(w->dir, entry->d_name, &p) && !add(w, &p))
			process_detach(&p);
	closedir(dir);
	return true;
}

static void show(const struct wanted *w)
{
	if (w->form == PROMETHEUS)
		show_prometheus(w->found, w->n_found);
	for (size_t i = 0; i < w->n_found && w->form != PROMETHEUS; i++)
		(w->form == JSON ? show_json : show_text)(&w->found[i]);
}

int command_stat(char **args)
{
	struct wanted w = {0};
	int status = EXIT_SUCCESS, written;

	if (asks_for_help(args)) {
		puts(help);
		return finish_output();
	}
	if (!take_words(&w, args)) {
		free(w.pids);
		return EXIT_USAGE;
	}
	if (w.all && !(w.pids = process_list(&w.n))) {
		say("cannot list the processes in /proc: %m");
		return EXIT_CANNOT;
	}
	if (w.dir && !add_images(&w))
		return EXIT_CANNOT;
	for (size_t i = 0; i < w.n; i++) {
		int one = stat_pid(&w, w.pids[i].pid);

		status = one > status ? one : status;
	}
	if ((w.all || w.dir) && !w.n_found) {
		say("no process has the library in it%s",
		    w.dir	   ? ", of those that keep a file there"
		    : w.none_there ? ", of those that may be read (root may read all)"
				   : "");
		status = EXIT_NO;
	}
	if (w.n_found || w.form == PROMETHEUS)
		show(&w);
	written = finish_output();
	for (size_t i = 0; i < w.n_found; i++)
		process_detach(&w.found[i]);
	free(w.found);
	free(w.pids);
	return written ? written : status;
}
