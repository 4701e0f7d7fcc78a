// SPDX-License-Identifier: MIT
/* `seekless check`: will the library help a program, and is it safe there? */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static const char help[] =
	"usage: seekless check PROGRAM | PID [--json]\n\n"
	"Tells whether the library can help a program, or a running process of this number,\n"
	"and what speaks against it: the verdict in one line, the reasons under it.\n"
	"\n"
	"  may help: ...         it, or a library of it, seeks and then reads or writes\n"
	"  nothing to gain: ...  it does not, as far as its files say\n"
	"  cannot: ...           the library is not loaded into it, or sees none of its calls\n"
	"\n"
	"A program is looked for as the shell does; of a script it is the interpreter, of a\n"
	"number in a folder write ./NUMBER. A process is watched for a second: an offset that\n"
	"moves further than what was read and written is a seek. System call instructions outside\n"
	"libc are found by taking the code apart; one counts if one of the 16 instructions\n"
	"before it sets the call's number.\n"
	"\n"
	"  --json                one JSON object instead of the text\n"
	"\n"
	"The exit status is 0 for may help, 1 for the other two, 2 for a mistake in the words,\n"
	"3 if it cannot be told: there is no such program or process, or no right to look.";

/* Reads the program NAME; an exit status, after a line. */
static int look_at_program(const char *name, struct answer *answer)
{
	struct program *program = &answer->program;
	char file[PATH_MAX];
	const char *rights;
	struct stat st;
	int failed = program_file(name, file);

	if (failed == -ENOEXEC) {
		say("%s is neither a program nor a script", file);
		return EXIT_CANNOT;
	}
	program->file = text_make("%s", file);
	answer->refuses = failed ? NULL : file_refuses(file);
	if (!failed)
		failed = program_add(program, file, file, NULL);
	if (failed && !(failed == -ENOEXEC && answer->refuses)) {
		say("cannot read the program %s: %s", file,
		    failed == -ENOEXEC ? "no ELF file with a table of sections"
		    : failed == -EACCES && !access(file, R_OK)
			    ? "it is not executable; of a script, ask for its interpreter"
			    : strerror(-failed));
		return EXIT_CANNOT;
	}
	if (!failed)
		program_load(program);
	lines_add(&answer->reasons, "%s is %s", name, file);
	rights = file_gains_rights(file);
	if (!answer->refuses && rights)
		answer->refuses = text_make("%s: the loader ignores preloads", rights);
	if (!rights && !stat(file, &st) && (st.st_mode & (S_ISUID | S_ISGID)))
		lines_add(&answer->reasons, "its set-user-ID or set-group-ID bit is nothing new to "
					    "you; for others the loader ignores preloads");
	return EXIT_SUCCESS;
}

static int look_at_process(const char *number, struct answer *answer)
{
	unsigned long pid = strtoul(number, NULL, 10);
	const char *base;
	char *exe;
	int status;

	if (pid < 1 || pid > INT_MAX) {
		say("there is no process %s", number);
		return EXIT_CANNOT;
	}
	status = subject_read((pid_t)pid, &answer->process, &answer->program);
	if (status)
		return status;
	exe = text_make("/proc/%d/exe", answer->process.pid);
	base = strrchr(answer->program.file, '/');
	/* A loader started by hand names no loader, and is not static. */
	if (!base || strncmp(base + 1, "ld-", 3))
		answer->refuses = file_refuses(exe);
	free(exe);
	subject_watch(&answer->process);
	lines_add(&answer->reasons, "%s is %s", number, answer->program.file);
	return EXIT_SUCCESS;
}

/* The words: one to ask for, and perhaps --json; an exit status. */
static int take_words(char **args, const char **asked, bool *json)
{
	for (; *args; args++) {
		if (!strcmp(*args, "--json")) {
			*json = true;
		} else if (**args == '-') {
			say("unknown option '%s'; `seekless check --help` lists what there is",
			    *args);
			return EXIT_USAGE;
		} else if (*asked) {
			say("check takes one program or process, not '%s' and '%s'", *asked, *args);
			return EXIT_USAGE;
		} else {
			*asked = *args;
		}
	}
	if (*asked && **asked)
		return EXIT_SUCCESS;
	say("check which program or process? `seekless check PROGRAM | PID`");
	return EXIT_USAGE;
}

int command_check(char **args)
{
	struct answer answer = {.asked = NULL};
	bool json = false;
	int status;

	if (asks_for_help(args)) {
		puts(help);
		return finish_output();
	}
	status = take_words(args, &answer.asked, &json);
	if (status)
		return status;
	if (!objects_can_be_read) {
		say("this build has no libelf, which check reads programs with");
		return EXIT_CANNOT;
	}
	if (answer.asked[strspn(answer.asked, "0123456789")])
		status = look_at_program(answer.asked, &answer);
	else
		status = look_at_process(answer.asked, &answer);
	if (status)
		return status;
	judge(&answer);
	if (json)
		answer_print_json(&answer);
	else
		answer_print(&answer);
	status = finish_output();
	return status ? status : answer.verdict == MAY_HELP ? EXIT_SUCCESS : EXIT_NO;
}
