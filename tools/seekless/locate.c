// SPDX-License-Identifier: MIT
/* Where the library's root is in another process; include/seekless.h says how to get there. */
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "printable.h"
#include "process.h"

static size_t padded(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

/* The root's address by the note of ours in SIZE bytes of notes, which lie at `at` there; else 0. */
static uint64_t find_in_notes(const char *notes, size_t size, uint64_t at, uint32_t *layout)
{
	ElfW(Nhdr) note;
	int64_t distance;

	for (size_t i = 0; i + sizeof(note) <= size;) {
		size_t name = i + sizeof(note), desc;

		memcpy(&note, notes + i, sizeof(note));
		desc = name + padded(note.n_namesz);
		i = desc + padded(note.n_descsz);
		if (i > size || note.n_namesz != sizeof(SEEKLESS_NOTE) ||
		    memcmp(notes + name, SEEKLESS_NOTE, sizeof(SEEKLESS_NOTE)) ||
		    note.n_descsz != sizeof(distance))
			continue;
		*layout = note.n_type;
		memcpy(&distance, notes + desc, sizeof(distance));
		return at + desc + (uint64_t)distance;
	}
	return 0;
}

static uint64_t find_root(const struct process *p, uint64_t base, uint32_t *layout)
{
	enum { MOST_PARTS = 64 };
	ElfW(Ehdr) header;
	ElfW(Phdr) part;
	char notes[1024];

	if (!process_read(p, base, &header, sizeof(header)) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG))
		return 0;
	for (unsigned i = 0; i < header.e_phnum && i < MOST_PARTS; i++) {
		uint64_t found;

		if (!process_read(p, base + header.e_phoff + i * sizeof(part), &part, sizeof(part)))
			return 0;
		if (part.p_type != PT_NOTE || part.p_memsz > sizeof(notes) ||
		    !process_read(p, base + part.p_vaddr, notes, part.p_memsz))
			continue;
		found = find_in_notes(notes, part.p_memsz, base + part.p_vaddr, layout);
		if (found)
			return found;
	}
	return 0;
}

/* A line of /proc/PID/maps: where a file's first byte is mapped, and the file's name; else 0. */
static uint64_t first_byte_of(char *line, char **name)
{
	unsigned long start, offset;
	int name_at = 0;

	if (sscanf(line, "%lx-%*x %*s %lx %*s %*u %n", &start, &offset, &name_at) < 2 || !name_at ||
	    offset || line[name_at] != '/')
		return 0;
	*name = line + name_at;
	(*name)[strcspn(*name, "\n")] = '\0';
	return start;
}

enum located process_locate(struct process *p, FILE *maps)
{
	enum located found = NOTHING_MAPPED;
	char line[8192], *name;
	int error = 0;

	while (fgets(line, sizeof(line), maps)) {
		uint64_t base = first_byte_of(line, &name);
		uint32_t layout = 0;

		if (found == NOTHING_MAPPED)
			found = LIBRARY_ABSENT;
		if (!base || !strstr(strrchr(name, '/'), "libseekless"))
			continue;
		snprintf(p->library, sizeof(p->library), "%s", name);
		make_printable(p->library);
		found = LIBRARY_UNKNOWN;
		errno = 0;
		/* The file's bytes may also be mapped to be read: go on to the next one. */
		p->root_at = find_root(p, base, &layout);
		if (p->root_at && layout == SEEKLESS_LAYOUT && process_read_root(p))
			return LIBRARY_FOUND;
		error = errno;
	}
	if (!ferror(maps))
		errno = error;
	return found;
}
