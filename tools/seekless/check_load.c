// SPDX-License-Identifier: MIT
/* `seekless check`: all that the loader brings in with a program. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

void *memory_more(void *old, size_t bytes)
{
	void *memory = realloc(old, bytes);

	if (!memory) {
		say("no memory");
		exit(EXIT_CANNOT);
	}
	return memory;
}

static char *text_of(const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0) {
		say("no memory");
		exit(EXIT_CANNOT);
	}
	return text;
}

char *text_make(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = text_of(format, args);
	va_end(args);
	return text;
}

void lines_add(struct lines *lines, const char *format, ...)
{
	va_list args;

	lines->line = memory_more(lines->line, (size_t)(lines->count + 1) * sizeof(*lines->line));
	va_start(args, format);
	lines->line[lines->count++] = text_of(format, args);
	va_end(args);
}

int program_add(struct program *program, const char *path, const char *name,
		const struct object *asks)
{
	struct object *object = memory_more(NULL, sizeof(*object));
	const char *slash = strrchr(name, '/');
	int failed;

	memset(object, 0, sizeof(*object));
	object->file = text_make("%s", path);
	object->name = text_make("%s", slash ? slash + 1 : name);
	object->asks = asks;
	failed = object_read(path, object);
	if (failed)
		return failed;
	program->object = memory_more(program->object,
				      (size_t)(program->count + 1) * sizeof(*program->object));
	program->object[program->count++] = object;
	return 0;
}

/* A file of another machine with the right name is passed over, as the loader does. */
static bool is_library(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ElfW(Ehdr) header;
	bool good = fd >= 0 && pread(fd, &header, sizeof(header), 0) == sizeof(header) &&
		    !memcmp(header.e_ident, ELFMAG, SELFMAG) &&
		    header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == OWN_MACHINE;

	if (fd >= 0)
		close(fd);
	return good;
}

/* Is NAME there by this name, or as the loader also takes it, by the one it has for itself? */
static bool is_loaded(const struct program *program, const char *name)
{
	for (int i = 0; i < program->count; i++) {
		const struct object *object = program->object[i];

		if (i && (!strcmp(object->name, name) || !strcmp(object->file, name)))
			return true;
		if (object->soname && !strcmp(object->soname, name))
			return true;
	}
	for (int i = 0; i < program->missing.count; i++)
		if (!strncmp(program->missing.line[i], name, strlen(name)) &&
		    program->missing.line[i][strlen(name)] == ',')
			return true;
	return false;
}

/* In the order of the loader: what the program needs, then what that needs, and so on. */
void program_load(struct program *program)
{
	for (int i = 0; i < program->count; i++) {
		const struct object *asks = program->object[i];

		for (int n = 0; n < asks->needed.count; n++) {
			const char *name = asks->needed.line[n];
			char *path;

			if (is_loaded(program, name))
				continue;
			path = place_find(name, asks, is_library);
			if (!path || program_add(program, path, name, asks))
				lines_add(&program->missing, "%s, which %s needs", name,
					  asks->name);
		}
	}
}
