/* SPDX-License-Identifier: MIT */
#include "born.h"

static void row(void)
{
	int at, fd;

	make_file("a", ROW_SIZE);
	CHECK(!mkdir("folder", 0700) && (at = open("folder", O_RDONLY | O_DIRECTORY)) >= 0);
	born_full(openat(AT_FDCWD, "a", O_RDWR));
	born_full(openat(at, "../a", O_RDONLY));
	fd = openat(at, "new", O_RDWR | O_CREAT, 0640);
	born_empty(fd);
	CHECK(!access("folder/new", F_OK));
	FAILS(openat(at, "none", O_RDONLY), ENOENT);
	FAILS(openat(-1, "a", O_RDONLY), EBADF);
	FAILS(openat(fd, "a", O_RDONLY), ENOTDIR);
	GIVES(close(fd), 0);
	fd = openat(at, ".", O_TMPFILE | O_RDWR, 0600);
	if (fd >= 0)
		born_empty(fd);
	CHECK(!unlink("folder/new") && !rmdir("folder"));
}
