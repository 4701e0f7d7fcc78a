/* SPDX-License-Identifier: MIT */
#include "row.h"

FILE *_IO_popen(const char *, const char *);

static char command[PATH_MAX + 100];

static void row(void)
{
	char line[100];
	int fd = held("a", 100), number;
	FILE *f;

	snprintf(command, sizeof command, "'%s' receive %d 104 && echo good", row_program, fd);
	f = popen(command, "r");
	CHECK(f && fgets(line, sizeof line, f) && !strcmp(line, "good\n"));
	number = fileno(f);
	FAILS(lseek(number, 0, SEEK_CUR), ESPIPE);
	CHECK(pclose(f) == 0);
	AT(fd, 108);
	CHECK(open("a", O_RDWR) == number); /* the number is ours again */
	AT(number, 0);
	hold(number, 200);
	child_receives(number, 204);

	fd = held("b", 100);
	snprintf(command, sizeof command,
		 "read word && '%s' receive %d 104 && test \"$word\" = hello", row_program, fd);
	f = _IO_popen(command, "w");
	CHECK(f && fputs("hello\n", f) >= 0 && pclose(f) == 0);
	AT(fd, 108);

	fd = held("c", 300);
	errno = 0;
	CHECK(!popen("true", "x") && errno == EINVAL);
	AT(fd, 304);
	CHECK((f = popen("exit 9", "re")) && WEXITSTATUS(pclose(f)) == 9);
	AT(fd, 304);
	child_receives(fd, 304);
}
