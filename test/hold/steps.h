/* SPDX-License-Identifier: MIT */
/*
 * steps.h - the calls that the late-call tests combine.  A step is exactly one system call when
 * the kernel is asked directly, and writes what came of it as a word of text.  Each step can be
 * made in two ways: through libc, where a preloaded library sees it, and by our own instruction
 * (the oracle).
 */
#ifndef HOLD_STEPS_H
#define HOLD_STEPS_H

#include "race/race.h"
#include <sys/sendfile.h>
#include <sys/uio.h>

enum { FILES = 3, FILE_SIZE = 24 };

/* One run: fresh descriptors on the files f and g; h is opened by a step. */
struct world {
	int oracle; /* raw system calls */
	int fd, g, keep, opened;
	int null;
	const char *path[FILES];
	int plain[FILES];  /* descriptors for looking at the files, raw */
	long *kernel_sees; /* memory shared with children, who look at the kernel's offsets */
	volatile int *call_over;
	char *child_read;  /* the same: what the child of A, and of B, has read */
	char text[2][400]; /* what the steps of A and of B said */
};

/* The call is over: who stops A inside it need not look further. */
MAYBE long over(struct world *w, long ret)
{
	*w->call_over = 1;
	return ret;
}

#define CALL(w, libc, raw_call) over(w, (w)->oracle ? (long)(raw_call) : (long)(libc))

MAYBE void say(char *text, const char *what, long ret, int err, const char *data)
{
	size_t used = strlen(text);

	if (ret < 0)
		snprintf(text + used, 400 - used, "%s=E%d ", what, err);
	else
		snprintf(text + used, 400 - used, "%s=%ld%s%.*s ", what, ret, data ? ":" : "",
			 data ? (int)ret : 0, data ? data : "");
}

#define SAY_DATA(what, call, data)                                                             \
	do {                                                                                   \
		long said = (call);                                                            \
		say(text, what, said, errno, data);                                            \
	} while (0)
#define SAY(what, call) SAY_DATA(what, call, NULL)

#define STEP(name) MAYBE void name(struct world *w, char *text)

STEP(do_read)
{
	char b[8];

	SAY_DATA("read", CALL(w, read(w->fd, b, 4), raw(SYS_read, w->fd, (long)b, 4, 0, 0)), b);
}

STEP(do_write)
{
	SAY("write",
	    CALL(w, write(w->fd, "1234", 4), raw(SYS_write, w->fd, (long)"1234", 4, 0, 0)));
}

STEP(do_write_other)
{
	SAY("write",
	    CALL(w, write(w->fd, "xy", 2), raw(SYS_write, w->fd, (long)"xy", 2, 0, 0)));
}

/* Into the file, not at the offset: a read that comes after this must see it. */
STEP(do_pwrite)
{
	int fd = w->plain[0];

	SAY("pwrite",
	    CALL(w, pwrite(fd, "PQRSTUVWXYZ", 11, 2), raw_pwrite(fd, "PQRSTUVWXYZ", 11, 2)));
}

STEP(do_readv)
{
	char b[8];
	struct iovec v[2] = {{b, 1}, {b + 1, 4}};

	SAY_DATA("readv", CALL(w, readv(w->fd, v, 2), raw(SYS_readv, w->fd, (long)v, 2, 0, 0)),
		 b);
}

STEP(do_writev)
{
	struct iovec v[2] = {{"5", 1}, {"678", 3}};

	SAY("writev", CALL(w, writev(w->fd, v, 2), raw(SYS_writev, w->fd, (long)v, 2, 0, 0)));
}

MAYBE void seek(struct world *w, char *text, const char *name, off_t off, int whence)
{
	SAY(name, CALL(w, lseek(w->fd, off, whence), raw_lseek(w->fd, off, whence)));
}

STEP(do_set)
{
	seek(w, text, "set", 7, SEEK_SET);
}

STEP(do_set_other)
{
	seek(w, text, "set", 12, SEEK_SET);
}

STEP(do_cur)
{
	seek(w, text, "cur", 2, SEEK_CUR);
}

STEP(do_tell)
{
	seek(w, text, "tell", 0, SEEK_CUR);
}

STEP(do_end)
{
	seek(w, text, "end", -3, SEEK_END);
}

STEP(do_set_bad)
{
	seek(w, text, "bad", -1, SEEK_SET);
}

STEP(do_dup2)
{
	long ret = CALL(w, dup2(w->g, w->fd), raw(SYS_dup3, w->g, w->fd, 0, 0, 0));

	say(text, "dup2", ret == w->fd ? 0 : ret, errno, NULL);
}

STEP(do_close)
{
	SAY("close", CALL(w, close(w->fd), raw(SYS_close, w->fd, 0, 0, 0, 0)));
}

/* The number is told only as far as it matters: the one that was closed, or another. */
STEP(do_open)
{
	const char *h = w->path[2];

	w->opened =
		(int)CALL(w, open(h, O_RDWR), raw(SYS_openat, AT_FDCWD, (long)h, O_RDWR, 0, 0));
	MUST(w->opened >= 0);
	say(text, "open", w->opened == w->fd, 0, NULL);
}

/* Twice, for the first lseek may be the kernel's. */
MAYBE void set_opened(struct world *w, off_t to, char *text)
{
	(void)CALL(w, lseek(w->opened, to, SEEK_SET), raw_lseek(w->opened, to, SEEK_SET));
	SAY("set-h", CALL(w, lseek(w->opened, to, SEEK_SET), raw_lseek(w->opened, to, SEEK_SET)));
}

STEP(do_set_opened)
{
	set_opened(w, 9, text);
}

/* What is there at the beginning is seen before anything is written. */
STEP(do_rewind_opened)
{
	set_opened(w, 0, text);
}

STEP(do_read_opened)
{
	char b[8];

	SAY_DATA("read-h",
		 CALL(w, read(w->opened, b, 2), raw(SYS_read, w->opened, (long)b, 2, 0, 0)), b);
}

STEP(do_write_opened)
{
	SAY("write-h",
	    CALL(w, write(w->opened, "HH", 2), raw(SYS_write, w->opened, (long)"HH", 2, 0, 0)));
}

/* Through the dup that is kept, if one is. */
STEP(do_set_kept)
{
	int fd = w->keep >= 0 ? w->keep : w->g;

	SAY("set kept", CALL(w, lseek(fd, 2, SEEK_SET), raw_lseek(fd, 2, SEEK_SET)));
}

STEP(do_set_g)
{
	SAY("set-g", CALL(w, lseek(w->g, 11, SEEK_SET), raw_lseek(w->g, 11, SEEK_SET)));
}

STEP(do_write_g)
{
	SAY("write-g",
	    CALL(w, write(w->g, "gg", 2), raw(SYS_write, w->g, (long)"gg", 2, 0, 0)));
}

/* The hand-backs: calls that use the kernel's own offset. */
STEP(do_dprintf)
{
	SAY("dprintf",
	    CALL(w, dprintf(w->fd, "%s", "DP"), raw(SYS_write, w->fd, (long)"DP", 2, 0, 0)));
}

STEP(do_sendfile)
{
	SAY("sendfile", CALL(w, sendfile(w->null, w->fd, NULL, 2),
			     raw(SYS_sendfile, w->null, w->fd, 0, 2, 0)));
}

STEP(do_append)
{
	SAY("append", CALL(w, fcntl(w->fd, F_SETFL, O_APPEND),
			   raw(SYS_fcntl, w->fd, F_SETFL, O_APPEND, 0, 0)));
}

STEP(do_no_append)
{
	SAY("setfl",
	    CALL(w, fcntl(w->fd, F_SETFL, 0), raw(SYS_fcntl, w->fd, F_SETFL, 0, 0, 0)));
}

/*
 * A child reads one letter with its own instruction: from where whatever made it left the
 * offset, and moving the offset that it shares.
 */
MAYBE void child_life(struct world *w, const char *text)
{
	char c = 0;

	if (raw(SYS_read, w->fd, (long)&c, 1, 0, 0) < 0)
		c = '!';
	w->child_read[text == w->text[1]] = c;
	raw(SYS_exit_group, 0, 0, 0, 0, 0);
}

MAYBE void child_says(struct world *w, char *text, pid_t pid)
{
	char *c = &w->child_read[text == w->text[1]];
	int status;

	MUST(pid > 0 && raw(SYS_wait4, pid, (long)&status, 0, 0, 0) == pid && status == 0);
	say(text, "child", *c != 0, 0, c);
}

STEP(do_fork)
{
	pid_t pid = (pid_t)CALL(w, fork(), raw(SYS_clone, SIGCHLD, 0, 0, 0, 0));

	if (!pid)
		child_life(w, text);
	child_says(w, text, pid);
}

STEP(do_vfork)
{
	pid_t pid = w->oracle ? (pid_t)raw(SYS_clone, SIGCHLD, 0, 0, 0, 0) : vfork();

	if (!pid)
		child_life(w, text);
	child_says(w, text, pid);
}

#endif
