// SPDX-License-Identifier: MIT
/* `seekless top`: its words, and the table for whoever has no terminal. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "seekless.h"
#include "top.h"

static const char help[] =
	"usage: seekless top [--interval SECONDS] [--once]\n"
	"\n"
	"The running processes that have the library in them and may be read, and what it does\n"
	"in them now.  They notice nothing, as with `seekless stat`.  For each process, per "
	"second:\n"
	"\n"
	"  SAVED        lseeks answered without the kernel; of them:\n"
	"  SET CUR END  to a place; relative to the offset; from the end (each costs an fstat)\n"
	"  READ WRITE   reads and writes made positioned\n"
	"  PASS         calls passed to the kernel\n"
	"  RETRY        repeated or waiting, as several threads used one description\n"
	"  TOTAL        lseeks saved since its start\n"
	"\n"
	"Keys: arrows select a process, Enter shows why calls are passed and which files gain\n"
	"most, h all the keys, q quits.\n"
	"\n"
	"  --interval SECONDS   between two looks (1)\n"
	"  --once               two looks, one table on standard output, and no keys; so it is\n"
	"                       also where standard output or input is no terminal\n"
	"\n"
	"Exit status: 0; 1 if no process has the library (only with --once); 2 for a mistake in\n"
	"the words; 3 if it cannot be done: a terminal that is not known, say.";

static bool take_words(char **args, double *interval, bool *once)
{
	for (; *args; args++) {
		if (!strcmp(*args, "--once")) {
			*once = true;
		} else if (!strncmp(*args, "--interval", 10) &&
			   (!(*args)[10] || (*args)[10] == '=')) {
			const char *value = (*args)[10] ? *args + 11 : args[1] ? *++args : "";
			char *end;

			*interval = strtod(value, &end);
			if (end == value || *end || !(*interval >= 0.1 && *interval <= 3600)) {
				say("--interval takes seconds, from 0.1 to 3600, not '%s'", value);
				return false;
			}
		} else {
			say(**args == '-'
				    ? "unknown option '%s'; `seekless top --help` lists what there "
				      "is"
				    : "top takes no '%s'; `seekless stat PID` shows one process",
			    *args);
			return false;
		}
	}
	return true;
}

static void print_table(const struct watch *w)
{
	enum { WIDTH = 90 };
	struct layout l;
	char line[1024];

	table_layout(&l, WIDTH);
	table_head(&l, line, sizeof(line));
	puts(line);
	for (size_t i = 0; i < w->n; i++) {
		table_row(&l, w->shown[i], line, sizeof(line));
		puts(line);
	}
}

static int once(struct watch *w, double interval)
{
	struct timespec time = {(time_t)interval,
				(long)((interval - (double)(time_t)interval) * 1e9)};
	struct order order = FIRST_ORDER;

	if (!watch_look(w) || (w->n && (nanosleep(&time, NULL), !watch_look(w)))) {
		say("cannot list the processes in /proc: %m");
		return EXIT_CANNOT;
	}
	if (!w->n) {
		say("no process has the library in it%s",
		    w->some_forbidden ? ", of those that may be read (root may read all)" : "");
		return EXIT_NO;
	}
	order_apply(&order, w);
	print_table(w);
	return finish_output();
}

int command_top(char **args)
{
	struct watch w = {0};
	double interval = 1;
	bool only_once = false;
	int status;

	if (asks_for_help(args)) {
		puts(help);
		return finish_output();
	}
	if (!take_words(args, &interval, &only_once))
		return EXIT_USAGE;
	setlocale(LC_CTYPE, "");
	if (only_once || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		status = once(&w, interval);
	else
		status = screen_run(&w, interval);
	watch_end(&w);
	return status;
}
