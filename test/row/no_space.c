/* SPDX-License-Identifier: MIT */
/* No row of the table: a full file system, a tmpfs of 64 KiB in a mount namespace of its own.
 */
#include "row.h"
#include <sched.h>
#include <sys/mount.h>

static char b[200000];

static void full(const char *name, int flags)
{
	struct iovec v[2] = {{b, 1000}, {b + 1000, 99000}};
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC | flags, 0600);
	char c[4];

	fill(b, 0, sizeof b);
	GIVES(write(fd, b, 8192), 8192);
	hold(fd, 100);
	GIVES(lseek(fd, 8192, SEEK_SET), 8192);
	GIVES(lseek(fd, 0, SEEK_CUR), 8192);
	fill(b, 8192, 100000);
	GIVES(writev(fd, v, 2), 65536 - 8192); /* what there is room for */
	AT(fd, 65536);
	FAILS(write(fd, b, 1), ENOSPC);
	FAILS(writev(fd, v, 2), ENOSPC);
	AT(fd, 65536);
	hold(fd, 20000);
	if (!flags) { /* inside there is room */
		GIVES(write(fd, "abcd", 4), 4);
		AT(fd, 20008);
	} else {
		FAILS(write(fd, "abcd", 4), ENOSPC);
		AT(fd, 20004);
	}
	GIVES(lseek(fd, 70000, SEEK_SET), 70000);
	FAILS(write(fd, b, 4), ENOSPC);
	AT(fd, 70000);
	GIVES(read(fd, c, 4), 0);
	hold(fd, 300);
	child_receives(fd, 304);
	GIVES(close(fd), 0);
	CHECK(!unlink(name));
}

static void row(void)
{
	int fd = held("a", 100), st;
	pid_t pid = fork();

	if (pid == 0) {
		if ((unshare)(CLONE_NEWNS) ||
		    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) || mkdir("m", 0700) ||
		    mount("none", "m", "tmpfs", 0, "size=64k"))
			_exit(77);
		full("m/x", 0);
		full("m/y", O_APPEND);
		_exit(0);
	}
	CHECK(waitpid(pid, &st, 0) == pid);
	rmdir("m");
	if (WIFEXITED(st) && WEXITSTATUS(st) == 77)
		SKIP("no mount namespace of its own: not root, or not allowed");
	CHECK(st == 0);
	AT(fd, 104);
}
