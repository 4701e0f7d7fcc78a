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

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OWN_MACHINE EM_AARCH64
#else
#error "seekless is for x86-64 and aarch64"
#endif

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
	return gains_rights(fd);
}

/* The first word behind "#!", as the kernel takes it. */
static bool script_interpreter(const char *line, char *interpreter)
{
	size_t blanks = strspn(line + 2, " \t");
	size_t length = strcspn(line + 2 + blanks, " \t\n");

	return snprintf(interpreter, PATH_MAX, "%.*s", (int)length, line + 2 + blanks) > 0;
}

const char *program_refuses(const char *name)
{
	char file[PATH_MAX];
	union {
		ElfW(Ehdr) elf;
		char line[SCRIPT_LINE + 1];
	} start;

	if (!find_on_path(name, file))
		return NULL;
	for (int scripts = 0; scripts <= MOST_SCRIPTS; scripts++) {
		const char *reason = NULL;
		int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		ssize_t length = fd < 0 ? -1 : pread(fd, start.line, SCRIPT_LINE, 0);
		bool is_elf = length >= (ssize_t)sizeof(start.elf) &&
			      !memcmp(start.elf.e_ident, ELFMAG, SELFMAG);

		if (is_elf)
			reason = elf_refuses(fd, &start.elf, file);
		if (fd >= 0)
			close(fd);
		if (is_elf || length < 2 || memcmp(start.line, "#!", 2))
			return reason;
		start.line[length] = '\0';
		if (!script_interpreter(start.line, file))
			return NULL;
	}
	return NULL;
}
