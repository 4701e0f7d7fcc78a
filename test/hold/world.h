/* SPDX-License-Identifier: MIT */
/* world.h - the files and descriptors of one run of a late-call test, and everything it looks
 * at after. */
#ifndef HOLD_WORLD_H
#define HOLD_WORLD_H

#include "hold/scenes.h"
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>

/* Numbers far up, so that the numbers of the runs are the same each time. */
MAYBE void world_make(struct world *w, const char *dir)
{
	memset(w, 0, sizeof *w);
	for (int i = 0; i < FILES; i++) {
		int fd;

		w->path[i] = new_path(dir);
		fd = (int)raw(SYS_openat, AT_FDCWD, (long)w->path[i], O_RDWR | O_CLOEXEC, 0, 0);
		w->plain[i] = (int)raw(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 500, 0, 0);
		raw(SYS_close, fd, 0, 0, 0, 0);
		MUST(w->plain[i] >= 500);
	}
	w->null = open("/dev/null", O_WRONLY);
	w->kernel_sees =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	MUST(w->kernel_sees != MAP_FAILED);
	w->child_read = (char *)(w->kernel_sees + 8);
	w->call_over = (int *)(w->kernel_sees + 16);
}

MAYBE int world_open(struct world *w, int file)
{
	const char *p = w->path[file];
	int fd =
		(int)CALL(w, open(p, O_RDWR), raw(SYS_openat, AT_FDCWD, (long)p, O_RDWR, 0, 0));

	MUST(fd >= 0);
	return fd;
}

/* Both descriptors are brought to the same beginning; the steps act on w->fd, so g takes its
 * turn. */
MAYBE void world_begin(struct world *w, enum begin begin)
{
	char none[400] = "";
	struct stat st;
	int fd = w->fd;

	for (int turn = 0; turn < 2; turn++) {
		w->fd = turn ? fd : w->g;
		if (begin == LOOKED_AT)
			MUST(fstat(w->fd, &st) == 0); /* what file it is, the library learns by that */
		if (begin == NEVER_SOUGHT || begin == LOOKED_AT)
			do_read(w, none);
		if (begin == SOUGHT || begin == HANDED_BACK || begin == APPENDING)
			for (int i = 0; i < 2; i++) /* the first lseek may be the kernel's */
				do_set(w, none);
		if (begin == SOUGHT)
			do_read(w, none);
		if (begin == HANDED_BACK)
			do_sendfile(w, none);
		if (begin == APPENDING)
			do_append(w, none);
	}
}

MAYBE void world_start(struct world *w, const struct scene *s, int oracle)
{
	static const char letters[FILES][FILE_SIZE + 1] = {"abcdefghijklmnopqrstuvwx",
							   "ABCDEFGHIJKLMNOPQRSTUVWX",
							   "------------------------"};

	for (int i = 0; i < FILES; i++) {
		MUST(raw_pwrite(w->plain[i], letters[i], FILE_SIZE, 0) == FILE_SIZE);
		MUST(raw(SYS_ftruncate, w->plain[i], FILE_SIZE, 0, 0, 0) == 0);
	}
	w->oracle = oracle;
	w->text[0][0] = w->text[1][0] = 0;
	w->fd = world_open(w, 0);
	w->g = world_open(w, 1);
	w->opened = w->keep = -1;
	if (s->keep)
		w->keep = (int)CALL(w, dup(w->fd), raw(SYS_dup, w->fd, 0, 0, 0, 0));
	world_begin(w, s->begin);
}

/* What a descriptor says of itself: its offset, the data there, its offset again; where a write goes. */
MAYBE void look(struct world *w, int fd, char *text)
{
	char b[8];

	SAY("at", CALL(w, lseek(fd, 0, SEEK_CUR), raw_lseek(fd, 0, SEEK_CUR)));
	SAY_DATA("data", CALL(w, read(fd, b, 2), raw(SYS_read, fd, (long)b, 2, 0, 0)), b);
	SAY("at", CALL(w, lseek(fd, 0, SEEK_CUR), raw_lseek(fd, 0, SEEK_CUR)));
	SAY("to", CALL(w, lseek(fd, 3, SEEK_SET), raw_lseek(fd, 3, SEEK_SET)));
	SAY("wrote", CALL(w, write(fd, "~", 1), raw(SYS_write, fd, (long)"~", 1, 0, 0)));
	SAY("at", CALL(w, lseek(fd, 0, SEEK_CUR), raw_lseek(fd, 0, SEEK_CUR)));
}

/* What the kernel holds as the offsets when a child has come into being. */
MAYBE void child_looks(struct world *w, const int *fds, int count)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		for (int i = 0; i < count; i++) {
			off_t at = raw_lseek(fds[i], 0, SEEK_CUR);

			w->kernel_sees[i] = at < 0 ? -errno : at;
		}
		raw(SYS_exit_group, 0, 0, 0, 0, 0);
	}
	MUST(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
}

/*
 * The kernel's own offsets.  A fork must bring them up to date, but takes milliseconds: in
 * seven of eight runs it is F_SETFL that does.
 */
MAYBE void look_at_kernel(struct world *w, const int *fds, int count, char *text)
{
	static unsigned turn;

	if (!w->oracle && turn++ % 8 == 0)
		child_looks(w, fds, count);
	else
		for (int i = 0; i < count; i++) {
			off_t at;

			if (!w->oracle)
				fcntl(fds[i], F_SETFL, fcntl(fds[i], F_GETFL));
			at = raw_lseek(fds[i], 0, SEEK_CUR);
			w->kernel_sees[i] = at < 0 ? -errno : at;
		}
	for (int i = 0; i < count; i++)
		say(text, "kernel", w->kernel_sees[i], (int)-w->kernel_sees[i], NULL);
}

/* Everything that can be seen after a run, as one line; then the descriptors go. */
MAYBE void world_end(struct world *w, char *text, size_t room)
{
	int fds[4] = {w->fd, w->g, w->keep, w->opened};
	char seen[400] = "", contents[FILES][100];

	for (int i = 0; i < 4; i++)
		if (fds[i] >= 0)
			look(w, fds[i], seen);
	look_at_kernel(w, fds, 4, seen);
	for (int i = 0; i < 4; i++)
		if (fds[i] >= 0)
			CALL(w, close(fds[i]), raw(SYS_close, fds[i], 0, 0, 0, 0));
	for (int i = 0; i < FILES; i++) {
		ssize_t n = raw_pread(w->plain[i], contents[i], sizeof contents[i] - 1, 0);

		for (ssize_t j = 0; j < n; j++)
			if (!contents[i][j])
				contents[i][j] = '.';
		contents[i][n < 0 ? 0 : n] = 0;
	}
	snprintf(text, room, "A %s| B %s| %s| %s %s %s", w->text[0], w->text[1], seen,
		 contents[0], contents[1], contents[2]);
}

#endif
