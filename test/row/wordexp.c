/* SPDX-License-Identifier: MIT */
#include "row.h"
#include <wordexp.h>

static void row(void)
{
	char text[PATH_MAX + 100], b[4];
	int fd = held("a", 100), ce = held_open("b", 200, O_RDWR | O_CLOEXEC);
	wordexp_t w;

#if !__GLIBC_PREREQ(2, 34)
	if (row_is_early) /* libc's own crashes before libc's constructor */
		return;
#endif
	snprintf(text, sizeof text, "one $(%s receive %d 104 && echo good)", row_program, fd);
	GIVES(wordexp(text, &w, 0), 0);
	CHECK(w.we_wordc == 2 && !strcmp(w.we_wordv[1], "good"));
	wordfree(&w);
	AT(fd, 108);
	GIVES(read(fd, b, 4), 4);
	CHECK(has(b, 108, 4));
	AT(ce, 204);

	fd = held("c", 300); /* no command in it: nobody gets anything */
	GIVES(wordexp("a b $HOME", &w, 0), 0);
	wordfree(&w);
	CHECK(wordexp("a $(true)", &w, WRDE_NOCMD) == WRDE_CMDSUB);
	CHECK(wordexp("a ( b", &w, 0) == WRDE_BADCHAR);
	AT(fd, 304);
	child_receives(fd, 304);
	child_receives(ce, 204);
}
