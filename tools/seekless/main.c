// SPDX-License-Identifier: MIT
/* The command `seekless`: its subcommands, and what it says about itself. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seekless.h"

static const char usage[] = "usage: seekless run [OPTION...] -- PROGRAM [ARG...]\n"
			    "       seekless --help | --version\n";

static const char help[] =
	"\n"
	"Starts PROGRAM with its file offsets kept in user space, so that it makes fewer\n"
	"system calls and sees the same results.\n"
	"\n"
	"  --only NAME[,NAME...]    only in programs of these names, among PROGRAM and all\n"
	"                           that it starts\n"
	"  --report FILE            where the counters go on the signal (%p is the process\n"
	"                           number); otherwise to standard error\n"
	"  --size fstat|lseek|auto  how a seek to a file's end is asked of the kernel\n"
	"  --signal NAME|none       the signal that asks for the counters, SIGUSR1 if not "
	"said\n"
	"\n"
	"Each option sets the environment variable of its name, SEEKLESS_ONLY and so on.\n"
	"The exit status is the program's own; 126 if it cannot be run, 127 if it is not\n"
	"found, 2 for a mistake in the options, 3 if the library is missing.\n";

void say(const char *format, ...)
{
	va_list args;

	fputs("seekless: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

static int print(const char *text, const char *more)
{
	if (fputs(text, stdout) < 0 || fputs(more, stdout) < 0 || fflush(stdout)) {
		say("cannot write to standard output: %m");
		return EXIT_CANNOT;
	}
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";

	if (!strcmp(word, "run"))
		return command_run(argv + 2);
	if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		return print(usage, help);
	if (!strcmp(word, "--version"))
		return print("seekless " SEEKLESS_VERSION "\n", "");
	if (argc < 2)
		say("what to do? `seekless --help` lists it");
	else
		say("unknown %s '%s'; `seekless --help` lists what there is",
		    *word == '-' ? "option" : "subcommand", word);
	return EXIT_USAGE;
}
