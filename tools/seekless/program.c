// SPDX-License-Identifier: MIT
/* What speaks against loading the library into a program: read from its file before exec. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "seekless.h"

/* A script's interpreter may be a script; the kernel follows this many. */
#define MOST_SCRIPTS 5

/* The kernel reads a script's first line up to here. */
#define SCRIPT_LINE 256

/* Finds the file that execvp(NAME) takes. */
static bool find_on_path(const char *name, char *found)
{
	const char *path = getenv("PATH");
	struct stat st;

	if (strchr(name, '/'))
		return snprintf(found, PATH_MAX, "%s", name) < PATH_MAX;
	if (!path)
		path = "/bin:/usr/bin";
	for (;; path++) {
		size_t length = strcspn(path, ":");

		if (snprintf(found, PATH_MAX, "%.*s%s%s", (int)length, path, length ? "/" : "",
			     name) < PATH_MAX &&
		    !access(found, X_OK) && !stat(found, &st) && S_ISREG(st.st_mode))
			return true;
		path += length;
		if (!*path)
			return false;
	}
}

/* Will exec give this file rights that its caller lacks?  Then the loader ignores preloads. */
static const char *gains_rights(int fd)
{
	struct statvfs fs;
	struct stat st;

	if (fstat(fd, &st) || (!fstatvfs(fd, &fs) && (fs.f_flag & ST_NOSUID)) ||
	    prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
		return NULL;
	if ((st.st_mode & S_ISUID) && st.st_uid != getuid())
		return "a set-user-ID program";
	/* Without the group's execute bit, set-group-ID means something else. */
	if ((st.st_mode & S_ISGID) && (st.st_mode & S_IXGRP) && st.st_gid != getgid())
		return "a set-group-ID program";
	if (getuid() && fgetxattr(fd, "security.capability", NULL, 0) > 0)
		return "a program with file capabilities";
	return NULL;
}

/* The loader that a program names, its last part; an empty name if it names none. */
static bool read_loader(int fd, const ElfW(Ehdr) * header, char *loader, size_t size)
{
	ElfW(Phdr) part;

	*loader = '\0';
	for (unsigned i = 0; i < header->e_phnum; i++) {
		off_t at = (off_t)(header->e_phoff + (size_t)i * sizeof(part));
		ssize_t length;
		char *slash;

		if (pread(fd, &part, sizeof(part), at) != sizeof(part))
			return false;
		if (part.p_type != PT_INTERP)
			continue;
		length = pread(fd, loader, part.p_filesz < size ? part.p_filesz : size - 1,
			       (off_t)part.p_offset);
		if (length < 0)
			return false;
		loader[length] = '\0';
		slash = strrchr(loader, '/');
		if (slash)
			memmove(loader, slash + 1, strlen(slash));
		return true;
	}
	return true;
}

static const char *elf_refuses(int fd, const ElfW(Ehdr) * header, const char *file)
{
	char loader[PATH_MAX];
	const char *base = strrchr(file, '/');

	if (header->e_ident[EI_CLASS] == ELFCLASS32)
		return "a 32-bit program";
	if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != OWN_MACHINE)
		return "a program for another machine";
	if (!read_loader(fd, header, loader, sizeof(loader)))
		return NULL;
	if (!*loader)
		/* A loader started by hand names no loader and preloads all the same. */
		return strncmp(base ? base + 1 : file, "ld-", 3) ? "a static program" : NULL;
	if (!strncmp(loader, "ld-musl", 7))
		return "a program for musl, not for glibc";
	if (strncmp(loader, "ld-linux", 8))
		return "a program for another C library than glibc";
	return NULL;
}

/*
 * The program behind "#!", as the kernel takes it: the first word.  Env(1) is only a way to one that
 * is found on the path.
 */
static bool script_interpreter(const char *line, char *interpreter)
{
	const char *word = line + 2 + strspn(line + 2, " \t");
	size_t length = strcspn(word, " \t\n");
	char name[SCRIPT_LINE + 1];

	if (snprintf(interpreter, PATH_MAX, "%.*s", (int)length, word) <= 0)
		return false;
	if (length < 4 || strncmp(word + length - 4, "/env", 4))
		return true;
	do {
		word += length;
		word += strspn(word, " \t");
		length = strcspn(word, " \t\n");
		snprintf(name, sizeof(name), "%.*s", (int)length, word);
	} while (*name == '-' || strchr(name, '='));
	return !*name || find_on_path(name, interpreter);
}

/* Reads the start of a file; its length, or -errno. */
static ssize_t read_start(const char *file, char *start, size_t size)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t length = fd < 0 ? -1 : pread(fd, start, size, 0);
	int error = errno;

	if (fd >= 0)
		close(fd);
	return length < 0 ? -error : length;
}

int program_file(const char *name, char *file)
{
	char start[SCRIPT_LINE + 1];
	struct stat st;

	if (!find_on_path(name, file)) {
		snprintf(file, PATH_MAX, "%s", name);
		return -ENOENT;
	}
	for (int scripts = 0; scripts <= MOST_SCRIPTS; scripts++) {
		ssize_t length;

		if (stat(file, &st) || access(file, X_OK))
			return -errno;
		if (!S_ISREG(st.st_mode))
			return -EACCES;
		length = read_start(file, start, SCRIPT_LINE);
		if (length < 0)
			return (int)length;
		if (length >= SELFMAG && !memcmp(start, ELFMAG, SELFMAG))
			return 0;
		if (length < 2 || memcmp(start, "#!", 2))
			return -ENOEXEC;
		start[length] = '\0';
		if (!script_interpreter(start, file))
			return -ENOENT;
	}
	return -ELOOP;
}

const char *file_refuses(const char *file)
{
	ElfW(Ehdr) header;
	const char *reason = NULL;
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return NULL;
	if (pread(fd, &header, sizeof(header), 0) == sizeof(header) &&
	    !memcmp(header.e_ident, ELFMAG, SELFMAG))
		reason = elf_refuses(fd, &header, file);
	close(fd);
	return reason;
}

const char *file_gains_rights(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const char *reason = fd < 0 ? NULL : gains_rights(fd);

	if (fd >= 0)
		close(fd);
	return reason;
}

const char *program_refuses(const char *name)
{
	char file[PATH_MAX];
	const char *reason;

	if (program_file(name, file))
		return NULL;
	reason = file_refuses(file);
	return reason ? reason : file_gains_rights(file);
}
