// SPDX-License-Identifier: MIT
/* `seekless audit`: runs a program as it is, and says what the library would have done for it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit.h"
#include "seekless.h"
#include "show.h"

static const char help[] =
	"usage: seekless audit [OPTION...] -- PROGRAM [ARG...]\n"
	"\n"
	"Runs PROGRAM: the kernel makes every call, and the library keeps beside it the offset\n"
	"that it would have.  At the end: what would have been saved, by program and by file,\n"
	"what would have been passed to the kernel and why, and every place where the kernel had\n"
	"another offset.  Counted are PROGRAM and all that it starts, with these limits: a\n"
	"process that a signal ends reports nothing; one that still runs when PROGRAM has ended\n"
	"is named and not counted.\n"
	"\n"
	"  --json                  a line of JSON for each process (tools/report.schema.json)\n"
	"  --every N               ask the kernel for its offset at every Nth call, 100 if not "
	"said\n"
	"  --only NAME[,NAME...]   only in programs of these names\n"
	"  --output FILE           write to FILE; otherwise to standard error\n"
	"\n"
	"Exit status: 1 if there was a disagreement; otherwise PROGRAM's own, or 128 and the\n"
	"number of the signal that ended it; but 3 if that is 0 and no process has reported.\n"
	"126 if PROGRAM cannot be run, 127 if it is not found, 2 for a mistake in the words.\n"
	"Signals that are sent to the command are passed on to PROGRAM.";

struct audit {
	bool json;
	const char *every, *only, *output;
	int to; /* where the result goes */
	char folder[PATH_MAX];
};

static bool is_count(const char *word)
{
	char *end;
	long n = strtol(word, &end, 10);

	return *word >= '0' && *word <= '9' && !*end && n >= 1 && n <= 1000000000;
}

static bool take_words(struct audit *a, char ***args)
{
	for (; **args && ***args == '-' && strcmp(**args, "--"); ++*args) {
		const char *word = **args, **value = NULL;

		if (!strcmp(word, "--json"))
			a->json = true;
		else if (!strcmp(word, "--every"))
			value = &a->every;
		else if (!strcmp(word, "--only"))
			value = &a->only;
		else if (!strcmp(word, "--output"))
			value = &a->output;
		else {
			say("unknown option '%s'; `seekless audit --help` lists what there is",
			    word);
			return false;
		}
		if (!value)
			continue;
		*value = *++*args;
		if (!*value || !**value || !strcmp(*value, "--")) {
			say("%s takes a value; `seekless audit --help` says more", word);
			return false;
		}
	}
	if (a->every && !is_count(a->every)) {
		say("--every takes a number of calls from 1 to 1000000000, not '%s'", a->every);
		return false;
	}
	if (**args && !strcmp(**args, "--"))
		++*args;
	if (**args)
		return true;
	say("audit which program? `seekless audit [OPTION...] -- PROGRAM [ARG...]`");
	return false;
}

/* ---- before ---- */

/* What the program's processes write into.  Root's may become other users'; nobody can list it. */
static bool make_folder(struct audit *a)
{
	const char *base = getenv("TMPDIR");
	char real[PATH_MAX];

	if (!base || !*base || !realpath(base, real) || strstr(real, "%p"))
		strcpy(real, "/tmp");
	if (snprintf(a->folder, sizeof(a->folder), "%s/seekless-audit.XXXXXX", real) <
		    (int)sizeof(a->folder) &&
	    mkdtemp(a->folder) && (geteuid() || !chmod(a->folder, 01733)))
		return true;
	say("cannot make a folder for the reports in %s: %m", real);
	return false;
}

static bool open_output(struct audit *a)
{
	a->to = a->output ? open(a->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)
			  : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (a->to < 0 && a->output)
		say("cannot write to %s: %m", a->output);
	return a->to >= 0 || !a->output;
}

static bool set_environment(const struct audit *a, const char *library)
{
	char report[PATH_MAX + 8];

	snprintf(report, sizeof(report), "%s/%%p", a->folder);
	if (setenv("SEEKLESS", "audit", 1) || setenv("SEEKLESS_REPORT", report, 1) ||
	    setenv("SEEKLESS_FORMAT", "json", 1) || setenv("SEEKLESS_AT_EXIT", "report", 1) ||
	    setenv("SEEKLESS_SIGNAL", "none", 1) ||
	    (a->every && setenv("SEEKLESS_AUDIT_EVERY", a->every, 1)) ||
	    (a->only && setenv("SEEKLESS_ONLY", a->only, 1)) || preload_append(library)) {
		say("cannot set the environment: %m");
		return false;
	}
	return true;
}

/* ---- behind ---- */

static void remove_folder(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (*entry->d_name != '.')
			unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	rmdir(folder);
}

/* What has been started last may be just ending. */
static struct process *still_running(const struct audit *a, size_t *n)
{
	for (int i = 0;; i++) {
		struct process *p = collect_running(a->folder, n);

		if (!*n || i == 5)
			return p;
		for (size_t k = 0; k < *n; k++)
			process_detach(&p[k]);
		free(p);
		usleep(100000);
	}
}

/* The result goes to where it is wanted as this command's standard output. */
static bool show_all(const struct audit *a, const struct told_list *told, const struct process *p,
		     size_t n)
{
	bool failed;

	if (a->to < 0)
		return true;
	fflush(stdout);
	dup2(a->to, STDOUT_FILENO);
	for (size_t i = 0; a->json && i < told->n; i++)
		puts(told->list[i].line);
	for (size_t i = 0; a->json && i < n; i++)
		if (p[i].n)
			show_json(&p[i]);
	if (!a->json) {
		audit_show(told);
		audit_show_running(p, n);
	}
	failed = ferror(stdout) | fflush(stdout);
	if (failed)
		say("cannot write to %s: %m", a->output ? a->output : "standard error");
	return !failed;
}

static uint64_t disagreements(const struct told_list *told, const struct process *p, size_t n)
{
	uint64_t wrong = 0;

	for (size_t i = 0; i < told->n; i++)
		wrong += told_counter(&told->list[i], "audit.wrong");
	for (size_t i = 0; i < n; i++)
		wrong += p[i].n ? process_counter(&p[i], "audit.wrong") : 0;
	return wrong;
}

static int judge(struct audit *a, const char *program, int status)
{
	struct told_list told = {0};
	size_t n;
	struct process *p = still_running(a, &n);
	bool shown;

	collect_reports(a->folder, &told);
	for (size_t i = 0; i < n; i++)
		if (p[i].n)
			told_drop(&told, p[i].pid, p[i].root.started);
	shown = (!told.n && !n) || show_all(a, &told, p, n);
	if (n)
		say("the reports of what still runs will be in %s", a->folder);
	else
		remove_folder(a->folder);
	if (!told.n && !n)
		say("no process has reported: the library was not at work in %s, or a signal ended "
		    "it",
		    program);
	if (disagreements(&told, p, n))
		status = EXIT_NO;
	else if (!status && (!shown || (!told.n && !n)))
		status = EXIT_CANNOT;
	for (size_t i = 0; i < told.n; i++)
		told_free(&told.list[i]);
	for (size_t i = 0; i < n; i++)
		process_detach(&p[i]);
	free(told.list);
	free(p);
	return status;
}

int command_audit(char **args)
{
	struct audit a = {0};
	char library[PATH_MAX];
	const char *reason;
	int status, cannot_run;

	if (asks_for_help(args)) {
		puts(help);
		return finish_output();
	}
	if (!take_words(&a, &args))
		return EXIT_USAGE;
	if (library_find(library, sizeof(library)) || !open_output(&a) || !make_folder(&a))
		return EXIT_CANNOT;
	if (!set_environment(&a, library)) {
		remove_folder(a.folder);
		return EXIT_CANNOT;
	}
	reason = program_refuses(*args);
	if (reason)
		say("%s runs without the library: it is %s", *args, reason);
	status = child_run(args, &cannot_run);
	if (status >= 0 && !cannot_run && !reason)
		return judge(&a, *args, status);
	remove_folder(a.folder);
	errno = cannot_run;
	if (cannot_run)
		say("cannot run %s: %m", *args);
	if (reason && !status)
		return EXIT_CANNOT; /* nothing was audited */
	return status < 0	      ? EXIT_CANNOT
	       : cannot_run == ENOENT ? EXIT_NOT_FOUND
	       : cannot_run	      ? EXIT_CANNOT_RUN
				      : status;
}
