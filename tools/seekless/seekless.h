// SPDX-License-Identifier: MIT
/* What the files of the command `seekless` share. */
#ifndef SEEKLESS_COMMAND_H
#define SEEKLESS_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OWN_MACHINE EM_AARCH64
#else
#error "seekless is for x86-64 and aarch64"
#endif

/* Exit statuses.  `run` ends with the program's own, or as env(1) does. */
enum {
	EXIT_NO = 1, /* the answer is no */
	EXIT_USAGE = 2,
	EXIT_CANNOT = 3,
	EXIT_HELD = 4, /* `off`: an offset is still held */
	EXIT_CANNOT_RUN = 126,
	EXIT_NOT_FOUND = 127,
};

/* The subcommands: the words behind their name, and the exit status. */
int command_run(char **args); /* does not return if the program starts */
int command_check(char **args);
int command_audit(char **args);
int command_bench(char **args);
int command_stat(char **args);
int command_top(char **args);
int command_off(char **args);
int command_on(char **args);

bool asks_for_help(char **args); /* is the first word --help or -h? */
/* At the end of a subcommand that printed: EXIT_SUCCESS, or EXIT_CANNOT after a line that says why. */
int finish_output(void);

/* One line on standard error, "seekless: " before it. */
__attribute__((format(printf, 1, 2))) void say(const char *format, ...);

/* Prints TEXT to standard output as a JSON string; what is not UTF-8 in it as U+FFFD. */
void json_string(const char *text);

/* Writes where the library lies, as an absolute path; 0, or -1 after a line that says why not.
 */
int library_find(char *path, size_t size);

/*
 * Names it in LD_PRELOAD, behind what is there already, so that the others go on seeing the program's own
 * calls; not 0: errno says why not.
 */
int preload_append(const char *library);

/*
 * Writes into FILE, of PATH_MAX bytes, what the kernel would load for execvp(NAME): the program, or
 * of a script the interpreter.  0, or -errno; then FILE is what could not be.  -ENOEXEC: FILE is
 * neither a program nor a script.
 */
int program_file(const char *name, char *file);

/*
 * Why the library would not be loaded into the program in FILE; for its rights, if exec would give it
 * some that its caller lacks; or into what exec would start for NAME, for either reason.  Words that
 * follow "it is": "a static program"; NULL if nothing speaks against it, or if it cannot be told
 * (exec will say what is wrong with a file that is not there or not readable).
 */
const char *file_refuses(const char *file);
const char *file_gains_rights(const char *file);
const char *program_refuses(const char *name);

#endif
