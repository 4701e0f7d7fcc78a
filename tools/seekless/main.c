// SPDX-License-Identifier: MIT
/* The command `seekless`: its subcommands, and what it says about itself. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seekless.h"

static const struct command {
	const char *name, *takes, *does;
	int (*run)(char **args); /* the words behind the name; the exit status */
} commands[] = {
	{"run", "[OPTION...] -- PROGRAM [ARG...]", "start PROGRAM with the library on",
	 command_run},
	{"check", "PROGRAM | PID [--json]", "tell whether it can help, and what speaks against it",
	 command_check},
	{"audit", "[OPTION...] -- PROGRAM [ARG...]", "run it as it is: what would be saved, is it exact",
	 command_audit},
	{"stat", "PID... | --all [--json|--prometheus]", "what it does in running processes", command_stat},
	{"top", "[--interval SECONDS] [--once]", "what it does in all of them now, as a table", command_top},
	{"off", "PID... [--timeout SECONDS]", "switch it off in a running process", command_off},
	{"on", "PID...", "and on again", command_on},
	{"bench", "[--json] [--dir FOLDER]", "measure what it can save on this machine",
	 command_bench},
};
enum { COMMANDS = sizeof(commands) / sizeof(*commands) };

void say(const char *format, ...)
{
	va_list args;

	fputs("seekless: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

bool asks_for_help(char **args)
{
	return *args && (!strcmp(*args, "--help") || !strcmp(*args, "-h"));
}

int finish_output(void)
{
	if (!ferror(stdout) && !fflush(stdout))
		return EXIT_SUCCESS;
	say("cannot write to standard output: %m");
	return EXIT_CANNOT;
}

static int print_help(void)
{
	puts("usage: seekless SUBCOMMAND [ARG...]\n");
	for (int i = 0; i < COMMANDS; i++)
		printf("  %-6s %-36s %s\n", commands[i].name, commands[i].takes, commands[i].does);
	puts("\n"
	     "`seekless SUBCOMMAND --help` says more; `seekless --version` which version this is.\n"
	     "Exit status: of `run` the program's own (126 if it cannot be run, 127 if it is not\n"
	     "found); of the others 0, or 1 where the answer is no; 2 for a mistake in the words,\n"
	     "3 if it cannot be done, 4 if `off` leaves offsets that are still held.");
	return finish_output();
}

static int print_version(void)
{
	puts("seekless " SEEKLESS_VERSION);
	return finish_output();
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";

	for (int i = 0; i < COMMANDS; i++)
		if (!strcmp(word, commands[i].name))
			return commands[i].run(argv + 2);
	if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help"))
		return print_help();
	if (!strcmp(word, "--version"))
		return print_version();
	if (argc < 2)
		say("what to do? `seekless --help` lists it");
	else
		say("unknown %s '%s'; `seekless --help` lists what there is",
		    *word == '-' ? "option" : "subcommand", word);
	return EXIT_USAGE;
}
