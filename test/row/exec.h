/* SPDX-License-Identifier: MIT */
/* The nine exec functions: each program says how its own is called, the rest is here. */
#include "row.h"

/* Execute `program` (or, with its folder in PATH, its last part) with these arguments; returns
 * when that fails. */
static int exec_it(char *program, char **argv);

static char *exec_args[] = {row_program, "receive", NULL, "104", NULL};

static void row(void)
{
	char number[12], b[4];
	int fd = held("a", 100), ce = held_open("b", 200, O_RDWR | O_CLOEXEC);
	pid_t pid;

	/* failed: as if nothing had been */
	FAILS(exec_it("/nowhere/at/all", exec_args), ENOENT);
	FAILS(exec_it("/dev/null", exec_args), EACCES);
	AT(fd, 104);
	GIVES(read(fd, b, 4), 4);
	CHECK(has(b, 104, 4));
	GIVES(read(ce, b, 4), 4);
	CHECK(has(b, 204, 4));
	child_receives(fd, 108);
	child_receives(ce, 208);

	pid = fork();
	if (pid == 0) { /* a process of its own opens, seeks, and becomes another program */
		fd = held("c", 100);
		snprintf(number, sizeof number, "%d", fd);
		exec_args[2] = number;
		exec_it(row_program, exec_args);
		_exit(99);
	}
	ends(pid, 0);

	pid = fork();
	if (pid ==
	    0) { /* the description is close-on-exec by one number, and by the other not */
		fd = held_open("c", 100, O_RDWR | O_CLOEXEC);
		snprintf(number, sizeof number, "%d", dup(fd));
		exec_args[2] = number;
		exec_it(row_program, exec_args);
		_exit(99);
	}
	ends(pid, 0);

	pid = fork();
	if (pid == 0) { /* inherited, moved by a seek after a failed exec, inherited again */
		fd = held("c", 1000);
		FAILS(exec_it("/nowhere/at/all", exec_args), ENOENT);
		hold(fd, 100);
		snprintf(number, sizeof number, "%d", fd);
		exec_args[2] = number;
		exec_it(row_program, exec_args);
		_exit(99);
	}
	ends(pid, 0);

	pid = fork();
	if (pid == 0) { /* close-on-exec really goes */
		fd = held_open("c", 100, O_RDWR | O_CLOEXEC);
		snprintf(number, sizeof number, "%d", fd);
		exec_args[1] = "closed";
		exec_args[2] = number;
		exec_args[3] = NULL;
		exec_it(row_program, exec_args);
		_exit(99);
	}
	ends(pid, 0);
}

/* For the functions that search: the program by its last part, its folder in PATH. */
__attribute__((unused)) static char *exec_by_name(char *program)
{
	static char path[PATH_MAX];
	char *slash = strrchr(strcpy(path, program), '/');

	if (program != row_program)
		return program;
	*slash = 0;
	setenv("PATH", path, 1);
	return slash + 1;
}
