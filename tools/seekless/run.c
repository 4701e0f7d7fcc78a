// SPDX-License-Identifier: MIT
/* `seekless run`: the environment that turns the library on, and exec. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "seekless.h"

static const char help[] =
	"usage: seekless run [OPTION...] -- PROGRAM [ARG...]\n\n"
	"Starts PROGRAM with its file offsets kept in user space, so that it makes fewer\n"
	"system calls and sees the same results.\n"
	"\n"
	"  --only NAME[,NAME...]    only in programs of these names, among PROGRAM and all\n"
	"                           that it starts\n"
	"  --report FILE            where the counters go on the signal (%p is the process\n"
	"                           number); otherwise to standard error\n"
	"  --readahead auto|SIZE    read ahead of sequential scans, as far as pays or as said\n"
	"                           (1M, say); preloads seekless-ahead.so as well, for pread\n"
	"  --format text|json       the form of the report\n"
	"  --at-exit                the report is also written when a process ends, or becomes\n"
	"                           another program; not if a signal ends it\n"
	"  --size fstat|lseek|auto  how a seek to a file's end is asked of the kernel\n"
	"  --signal NAME|none       the signal that asks for the counters, SIGUSR1 if not\n"
	"                           said\n"
	"\n"
	"Each option sets the environment variable of its name, SEEKLESS_ONLY and so on.\n"
	"The exit status is the program's own; 126 if it cannot be run, 127 if it is not\n"
	"found, 2 for a mistake in the options, 3 if the library is missing.";

struct option {
	const char *name, *variable;
	bool (*accepts)(const char *value); /* NULL: it takes none */
	const char *takes;		    /* or the value that it stands for */
};

static bool is_not_empty(const char *value)
{
	return *value != '\0';
}

static bool is_size(const char *value)
{
	return !strcmp(value, "fstat") || !strcmp(value, "lseek") || !strcmp(value, "auto");
}

/* From 16K to 64M. */
static bool is_readahead(const char *value)
{
	char *end;
	long n;

	if (!strcmp(value, "off") || !strcmp(value, "auto"))
		return true;
	n = *value >= '0' && *value <= '9' ? strtol(value, &end, 10) : 0;
	if (n <= 0 || n > 64 << 20)
		return false;
	if (*end == 'K' || *end == 'M')
		n <<= *end++ == 'K' ? 10 : 20;
	return !*end && n >= 16 << 10 && n <= 64 << 20;
}

static bool is_format(const char *value)
{
	return !strcmp(value, "text") || !strcmp(value, "json");
}

/* What the library takes: signals that a program can catch and go on from, by their names. */
static bool is_signal(const char *name)
{
	static const char *const names[] = {
		"none", "HUP",	"INT",	"QUIT",	  "USR1", "USR2",  "ALRM", "TERM",
		"URG",	"XCPU", "PROF", "VTALRM", "IO",	  "WINCH", "PWR",  "STKFLT",
	};
	char *end;

	if (!strncmp(name, "SIG", 3))
		name += 3;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	if (strncmp(name, "RTMIN+", 6) || name[6] < '0' || name[6] > '9')
		return false;
	return strtol(name + 6, &end, 10) <= SIGRTMAX - SIGRTMIN && !*end;
}

static const struct option options[] = {
	{"--only", "SEEKLESS_ONLY", is_not_empty, "names of programs, with commas between"},
	{"--report", "SEEKLESS_REPORT", is_not_empty, "the name of a file"},
	{"--readahead", "SEEKLESS_READAHEAD", is_readahead, "auto, off or a size from 16K to 64M"},
	{"--format", "SEEKLESS_FORMAT", is_format, "text or json"},
	{"--at-exit", "SEEKLESS_AT_EXIT", NULL, "report"},
	{"--size", "SEEKLESS_SIZE", is_size, "fstat, lseek or auto"},
	{"--signal", "SEEKLESS_SIGNAL", is_signal, "the name of a signal to catch, or none"},
};

static const struct option *option_find(const char *arg, size_t length)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (strlen(options[i].name) == length && !strncmp(options[i].name, arg, length))
			return &options[i];
	return NULL;
}

/* Takes "--name value" or "--name=value" at *ARGS and steps behind it; 0, or -1 after a line.
 */
static int option_take(char ***args)
{
	const char *arg = *(*args)++, *equals = strchr(arg, '=');
	size_t length = equals ? (size_t)(equals - arg) : strlen(arg);
	const struct option *option = option_find(arg, length);
	const char *value;

	if (!option) {
		say("unknown option '%.*s'; `seekless run --help` lists what there is", (int)length,
		    arg);
		return -1;
	}
	if (equals)
		value = equals + 1;
	else if (!option->accepts)
		value = option->takes;
	else
		value = **args && strcmp(**args, "--") ? *(*args)++ : "";
	if (option->accepts ? !option->accepts(value) : equals != NULL) {
		say("%s takes %s, not '%s'", option->name,
		    option->accepts ? option->takes : "no value", value);
		return -1;
	}
	if (setenv(option->variable, value, 1)) {
		say("cannot set %s: %m", option->variable);
		return -1;
	}
	return 0;
}

/* Is PATH one of the names in LIST?  The loader takes colons and spaces between them. */
static bool preload_names(const char *list, const char *path)
{
	size_t length;

	for (; *list; list += length + strspn(list + length, ": ")) {
		length = strcspn(list, ": ");
		if (length == strlen(path) && !strncmp(list, path, length))
			return true;
	}
	return false;
}

int preload_append(const char *library)
{
	const char *old = getenv("LD_PRELOAD");
	char *list;
	int failed;

	if (!old || !*old)
		return setenv("LD_PRELOAD", library, 1);
	if (preload_names(old, library))
		return 0;
	if (asprintf(&list, "%s:%s", old, library) < 0)
		return -1;
	failed = setenv("LD_PRELOAD", list, 1);
	free(list);
	return failed;
}

/* Is the program to be read ahead for? */
static bool reads_ahead(void)
{
	const char *value = getenv("SEEKLESS_READAHEAD");

	return value && *value && strcmp(value, "off") && strcmp(value, "0");
}

/* seekless-ahead.so lies beside the library, and is named before it. */
static int preload_ahead(const char *library)
{
	char ahead[PATH_MAX];

	snprintf(ahead, sizeof(ahead), "%.*s/seekless-ahead.so",
		 (int)(strrchr(library, '/') - library), library);
	if (access(ahead, R_OK)) {
		say("%s is missing: reads by pread are not read ahead of", ahead);
		return 0;
	}
	return preload_append(ahead);
}

int command_run(char **args)
{
	char library[PATH_MAX];
	const char *reason;

	if (asks_for_help(args)) {
		puts(help);
		return finish_output();
	}
	while (*args && **args == '-' && strcmp(*args, "--"))
		if (option_take(&args))
			return EXIT_USAGE;
	if (*args && !strcmp(*args, "--"))
		args++;
	if (!*args) {
		say("run which program? `seekless run [OPTION...] -- PROGRAM [ARG...]`");
		return EXIT_USAGE;
	}
	if (library_find(library, sizeof(library)))
		return EXIT_CANNOT;
	if (setenv("SEEKLESS", "on", 1) || (reads_ahead() && preload_ahead(library)) ||
	    preload_append(library)) {
		say("cannot set the environment: %m");
		return EXIT_CANNOT;
	}
	reason = program_refuses(*args);
	if (reason)
		say("%s runs without the library: it is %s", *args, reason);
	execvp(*args, args);
	say("cannot run %s: %m", *args);
	return errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}
