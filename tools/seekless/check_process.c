// SPDX-License-Identifier: MIT
/* `seekless check`: what /proc tells of a process, and of what is mapped there. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include "check.h"

#define KERNEL_THREAD 0x00200000 /* PF_KTHREAD, in the flags of /proc/PID/stat */

char *subject_text(pid_t pid, const char *name, size_t *length)
{
	char *path = text_make("/proc/%d/%s", pid, name), *text = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC), error = errno;
	size_t had = 0;
	ssize_t got = -1;

	free(path);
	if (fd < 0)
		return NULL;
	do {
		text = memory_more(text, had + 65537);
		got = read(fd, text + had, 65536);
		error = errno;
		had += got > 0 ? (size_t)got : 0;
	} while (got > 0);
	close(fd);
	if (got < 0) {
		free(text);
		errno = error;
		return NULL;
	}
	text[had] = '\0';
	if (length)
		*length = had;
	return text;
}

/* The value behind "\nNAME:" in /proc/PID/status. */
static const char *status_value(const char *status, const char *name)
{
	char *key = text_make("\n%s:\t", name);
	const char *at = strstr(status, key);

	at = at ? at + strlen(key) : "";
	free(key);
	return at;
}

/* The field of /proc/PID/stat behind the name, which may have anything in it, that is counted. */
static unsigned long flags_of(pid_t pid)
{
	char *stat = subject_text(pid, "stat", NULL), *at = stat ? strrchr(stat, ')') : NULL;
	unsigned long flags = 0;

	if (at)
		sscanf(at, ") %*c %*d %*d %*d %*d %*d %lu", &flags);
	free(stat);
	return flags;
}

static int cannot_look(pid_t pid)
{
	if (errno == ENOENT || errno == ESRCH)
		say("there is no process %d any more", pid);
	else
		say("process %d cannot be looked at (%m): ask as the user that it runs as, or as "
		    "root",
		    pid);
	return EXIT_CANNOT;
}

/* Name, threads and the like; an exit status, after a line. */
static int read_status(struct subject *process)
{
	char *status = subject_text(process->pid, "status", NULL);
	const char *state, *name;

	if (!status) {
		say("there is no process %d", process->pid);
		return EXIT_CANNOT;
	}
	name = strstr(status, "Name:\t");
	name = name ? name + 6 : "?";
	process->name = text_make("%.*s", (int)strcspn(name, "\n"), name);
	state = status_value(status, "State");
	if (*state == 'Z' || *state == 'X') {
		say("process %d (%s) has ended: it is a zombie until its parent asks for it",
		    process->pid, process->name);
		return EXIT_CANNOT;
	}
	if (flags_of(process->pid) & KERNEL_THREAD) {
		say("process %d (%s) is a thread of the kernel, not a program", process->pid,
		    process->name);
		return EXIT_CANNOT;
	}
	/* A thread's number will do. */
	process->pid = (pid_t)strtol(status_value(status, "Tgid"), NULL, 10);
	process->threads = strtol(status_value(status, "Threads"), NULL, 10);
	process->seccomp = (int)strtol(status_value(status, "Seccomp"), NULL, 10);
	free(status);
	return EXIT_SUCCESS;
}

/* Does exec's note to the process, AT_SECURE, say that the loader ignores preloads? */
static bool is_secure(pid_t pid)
{
	size_t length = 0;
	char *text = subject_text(pid, "auxv", &length);
	bool secure = false;

	for (size_t i = 0; text && i + sizeof(ElfW(auxv_t)) <= length; i += sizeof(ElfW(auxv_t))) {
		ElfW(auxv_t) entry;

		memcpy(&entry, text + i, sizeof(entry));
		if (entry.a_type == AT_SECURE)
			secure = entry.a_un.a_val;
	}
	free(text);
	return secure;
}

static bool memory_is_readable(pid_t pid, unsigned long address)
{
	char byte;
	struct iovec here = {&byte, 1}, there = {(void *)address, 1};

	return process_vm_readv(pid, &here, 1, &there, 1, 0) == 1;
}

struct mapping {
	unsigned long start, end, inode;
	unsigned major, minor;
	char rights[5];
	const char *path;
};

/* Its device may be another one by stat than in the map, on btrfs and overlay. */
static bool is_known(const struct program *program, const struct mapping *is)
{
	for (int i = 0; i < program->count; i++)
		if (program->object[i]->ino == is->inode &&
		    (program->object[i]->dev == makedev(is->major, is->minor) ||
		     !strcmp(program->object[i]->file, is->path)))
			return true;
	return false;
}

/*
 * Reads the mapped file itself, which may have been replaced since, or lie in a container: by the
 * kernel's own link to it where that may be followed, else by its name if that is still the same.
 */
static void add_mapped(pid_t pid, const struct mapping *is, struct program *program)
{
	char *link = text_make("/proc/%d/map_files/%lx-%lx", pid, is->start, is->end);
	char *named = text_make("/proc/%d/root%s", pid, is->path);
	const char *name = strrchr(is->path, '/') + 1;
	struct stat st;
	bool same = !stat(named, &st) && st.st_ino == is->inode;
	int failed = program_add(program, link, name, program->object[0]);

	if (failed && failed != -ENOEXEC && same)
		failed = program_add(program, named, name, program->object[0]);
	if (!failed) {
		struct object *object = program->object[program->count - 1];

		object->file = text_make("%s", is->path);
		object->dev = makedev(is->major, is->minor);
	} else if (failed != -ENOEXEC) {
		lines_add(&program->missing, "%s, which is mapped there", is->path);
	}
}

/* Adds what has code mapped. */
static void read_maps(struct subject *process, char *maps, struct program *program)
{
	char *next;

	for (char *line = maps; *line; line = next) {
		struct mapping is = {.start = 0};
		int at = 0;

		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		if (sscanf(line, "%lx-%lx %4s %*x %x:%x %lu %n", &is.start, &is.end, is.rights,
			   &is.major, &is.minor, &is.inode, &at) < 6)
			continue;
		is.path = line + at;
		if (*is.rights == 'r' && !process->is_readable)
			process->is_readable = memory_is_readable(process->pid, is.start);
		if (*is.path != '/')
			continue;
		if (strstr(is.path, "libseekless"))
			process->library = "there";
		if (is.rights[2] == 'x' && !is_known(program, &is))
			add_mapped(process->pid, &is, program);
	}
}

int subject_read(pid_t pid, struct subject *process, struct program *program)
{
	char *exe, *maps, path[PATH_MAX];
	ssize_t length;
	int status, failed;

	process->pid = pid;
	status = read_status(process);
	if (status)
		return status;
	exe = text_make("/proc/%d/exe", process->pid);
	length = readlink(exe, path, sizeof(path) - 1);
	maps = length < 0 ? NULL : subject_text(process->pid, "maps", NULL);
	if (!maps)
		return cannot_look(process->pid);
	path[length] = '\0';
	failed = program_add(program, exe, path, NULL);
	if (failed == -ENOEXEC) {
		/* Of another machine, or a 32-bit one: judged by its first bytes. */
		program->file = text_make("%s", path);
		return EXIT_SUCCESS;
	}
	if (failed) {
		errno = -failed;
		return cannot_look(process->pid);
	}
	program->object[0]->file = program->file = text_make("%s", path);
	read_maps(process, maps, program);
	free(maps);
	process->is_secure = is_secure(process->pid);
	if (process->library)
		subject_library(process);
	return EXIT_SUCCESS;
}
