// SPDX-License-Identifier: MIT
/* Finds the library in another process, and reads its memory. */
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"
#include "seekless.h"

/* What comes from another process may hold anything; it is not to be a command to a terminal. */
static void make_printable(char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 127)
			*s = '?';
}

pid_t process_number(const char *word)
{
	char *end;
	long n = strtol(word, &end, 10);

	if (*word >= '1' && *word <= '9' && !*end && n > 0 && n <= 0x7fffffff)
		return (pid_t)n;
	say("'%s' is not a process number", word);
	return 0;
}

/* ---- where the library is ---- */

/* The first mapping of a file of that name; 0: there is none.  *fp: /proc/PID/maps. */
static uint64_t find_library(FILE *maps, char *name, size_t size)
{
	char line[8192];
	unsigned long start, offset;
	int path_at;

	while (fgets(line, sizeof(line), maps)) {
		path_at = 0;
		if (sscanf(line, "%lx-%*x %*s %lx %*s %*u %n", &start, &offset, &path_at) < 2 ||
		    !path_at || offset || line[path_at] != '/')
			continue;
		line[strcspn(line, "\n")] = '\0';
		if (!strstr(strrchr(line, '/'), "libseekless"))
			continue;
		snprintf(name, size, "%s", line + path_at);
		make_printable(name);
		return start;
	}
	return 0;
}

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
	ElfW(Ehdr) header;
	ElfW(Phdr) part;
	char notes[1024];

	if (!process_read(p, base, &header, sizeof(header)) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG))
		return 0;
	for (unsigned i = 0; i < header.e_phnum; i++) {
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

/* ---- who it is ---- */

static FILE *open_of(pid_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return fopen(path, "re");
}

static void read_program(struct process *p)
{
	char words[4096] = "", *slash;
	FILE *f = open_of(p->pid, "cmdline");

	if (f) {
		words[fread(words, 1, sizeof(words) - 1, f)] = '\0';
		fclose(f);
	}
	if (!*words && (f = open_of(p->pid, "comm"))) {
		if (fgets(words, sizeof(words), f))
			words[strcspn(words, "\n")] = '\0';
		fclose(f);
	}
	slash = strrchr(words, '/');
	snprintf(p->program, sizeof(p->program), "%.63s", slash ? slash + 1 : words);
	make_printable(p->program);
}

/* The keys and words, which lie one behind the other. */
static bool read_names(struct process *p)
{
	const struct seekless_root *r = &p->root;
	size_t all = (size_t)r->kinds + r->reasons;
	const char *s;

	if (r->names_size > 1 << 20 || all > 4096 || r->n != r->kinds + 3 * r->reasons)
		return false;
	p->names = calloc(1, (size_t)r->names_size + 1);
	p->key = calloc(all, sizeof(*p->key));
	p->words = calloc(all, sizeof(*p->words));
	p->n = calloc(r->n, sizeof(*p->n));
	if (!p->names || !p->key || !p->words || !p->n ||
	    !process_read(p, r->names, p->names, r->names_size))
		return false;
	s = p->names;
	for (size_t i = 0; i < 2 * all; i++) {
		if (s >= p->names + r->names_size)
			return false;
		*(i % 2 ? &p->words[i / 2] : &p->key[i / 2]) = s;
		s += strlen(s) + 1;
	}
	return true;
}

static enum attach why_not(pid_t pid, char *why, size_t size)
{
	if (errno == EACCES || errno == EPERM) {
		snprintf(why, size,
			 "process %d may not be read: it is another user's, or guarded (ptrace); "
			 "root may",
			 (int)pid);
		return NOT_ALLOWED;
	}
	snprintf(why, size, "there is no process %d", (int)pid);
	return NOT_THERE;
}

enum attach process_attach(pid_t pid, struct process *p, char *why, size_t size)
{
	uint64_t base, root;
	uint32_t layout = 0;
	FILE *maps;

	memset(p, 0, sizeof(*p));
	p->pid = pid;
	maps = open_of(pid, "maps");
	if (!maps)
		return why_not(pid, why, size);
	errno = 0;
	base = find_library(maps, p->library, sizeof(p->library));
	if (!base && ferror(maps)) {
		enum attach reason = why_not(pid, why, size);

		fclose(maps);
		return reason;
	}
	fclose(maps);
	read_program(p);
	if (!base) {
		snprintf(why, size,
			 "process %d (%s) has no libseekless.so in it; `seekless run` starts a "
			 "program with it",
			 (int)pid, p->program);
		return NO_LIBRARY;
	}
	errno = 0;
	root = find_root(p, base, &layout);
	if (!root && errno)
		return why_not(pid, why, size);
	if (!root || layout != SEEKLESS_LAYOUT ||
	    !process_read(p, root, &p->root, sizeof(p->root)) ||
	    (p->root.magic && p->root.size != sizeof(p->root))) {
		snprintf(why, size,
			 "process %d (%s) has another version of the library, which this command "
			 "cannot read: %s",
			 (int)pid, p->program, p->library);
		return OTHER_ONE;
	}
	if (!p->root.magic) {
		snprintf(why, size,
			 "process %d (%s) lets nobody look: it was started with SEEKLESS_STATS=off",
			 (int)pid, p->program);
		return HIDDEN;
	}
	if (!read_names(p) || !process_count(p)) {
		process_detach(p);
		snprintf(why, size, "process %d has ended", (int)pid);
		return NOT_THERE;
	}
	return ATTACHED;
}

void process_detach(struct process *p)
{
	free(p->names);
	free(p->key);
	free(p->words);
	free(p->n);
	memset(p, 0, sizeof(*p));
}
