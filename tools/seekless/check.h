// SPDX-License-Identifier: MIT
/* What the files of `seekless check` share. */
#ifndef SEEKLESS_CHECK_H
#define SEEKLESS_CHECK_H

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "seekless.h"

/* All memory here lives until the command ends; without any, the command ends with a line. */
__attribute__((format(printf, 1, 2))) char *text_make(const char *format, ...);
void *memory_more(void *old, size_t bytes);

/* Lines of text, in their order. */
struct lines {
	char **line;
	int count;
};
__attribute__((format(printf, 2, 3))) void lines_add(struct lines *lines, const char *format, ...);

/* ---- system calls made without libc (check_code.c, check_x86.c) ---- */

/* One `syscall` or `svc #0`, and the number that the code before it puts in place. */
struct site {
	uint64_t address;
	long number; /* NUMBER_UNKNOWN: set in a way that cannot be followed */
};
enum { NUMBER_UNKNOWN = -1, SITES_KEPT = 64 };

struct sites {
	int count; /* of all; the first SITES_KEPT are in site */
	struct site site[SITES_KEPT];
};

/* Adds what is found in SIZE bytes of code that run at ADDRESS. */
void code_scan_x86(const uint8_t *code, size_t size, uint64_t address, struct sites *sites);
void code_scan_aarch64(const uint8_t *code, size_t size, uint64_t address, struct sites *sites);
void code_scan(const uint8_t *code, size_t size, uint64_t address, struct sites *sites);
void sites_add(struct sites *sites, uint64_t address, long number);

/* How long the instruction at CODE is, with SIZE bytes left; 0 if it is none. */
size_t x86_length(const uint8_t *code, size_t size);

/*
 * The name of a system call that uses or changes what the library keeps: an offset, the table of
 * descriptors, the processes that share them.  NULL for others.
 */
const char *number_matters(long number);

/* ---- programs and libraries (check_elf.c) ---- */

/* What decides whether the library has something to do: groups of libc's names. */
enum call {
	CALL_SEEK,
	CALL_SEEKG, /* and seekp: streams of C++, which call lseek and read by their library */
	CALL_READ,
	CALL_WRITE,
	CALL_READV,
	CALL_WRITEV,
	CALL_STREAM,
	CALL_PREAD,
	CALL_PWRITE,
	CALL_MMAP,
	CALL_URING,
	CALL_SYSCALL,
	CALL_DLOPEN,
	CALLS
};
#define CALL_BIT(call) (1u << (call))
enum { TRANSFERS = 1 << CALL_READ | 1 << CALL_WRITE | 1 << CALL_READV | 1 << CALL_WRITEV };
extern const char *const call_names[CALLS];
enum call call_of(const char *symbol); /* CALLS if it is none of them */

/* A program or a library. */
struct object {
	const char *file, *name;   /* name: the last part of what asked for it */
	const struct object *asks; /* the one that needs it; NULL for the program */
	struct lines needed;
	const char *soname, *rpath, *runpath;
	bool default_places; /* is it also looked for where libraries usually are? */
	bool is_go, is_libc; /* is_libc: glibc's own calls are not counted */
	unsigned calls;	     /* CALL_BITs of what it imports */
	struct sites sites;
	dev_t dev;
	ino_t ino;
};

/* Reads PATH; 0, or -errno: -ENOEXEC if it is no ELF file of this machine with a table of sections. */
int object_read(const char *path, struct object *object);
extern const bool objects_can_be_read; /* was this command built with libelf? */
bool name_is_libc(const char *name);

/* ---- what a program consists of (check_load.c, check_place.c) ---- */

struct program {
	const char *file;
	struct object **object; /* the program itself is the first */
	int count;
	struct lines missing;
};

/* Adds the object at PATH, called NAME; 0, or -errno. */
int program_add(struct program *program, const char *path, const char *name,
		const struct object *asks);
/* Adds all libraries that the first object needs, as the loader would. */
void program_load(struct program *program);
/*
 * Where the loader would find the library NAME that ASKS needs: the first of its places for which
 * IS_GOOD says yes; NULL if there is none.
 */
char *place_find(const char *name, const struct object *asks, bool (*is_good)(const char *path));
char *cache_find(const char *name, bool (*is_good)(const char *path));

/* ---- a running process (check_process.c, check_files.c, check_library.c) ---- */

/* An open file, and how its offset moved from one look to the next. */
struct opened {
	int fd;
	bool is_block, is_followed; /* followed: on a file system that the library takes */
	const char *file, *system;
	dev_t dev;
	ino_t ino;
	uint64_t position, seen, number; /* number: of the inode, as the kernel shows it */
	int looks;
	int ahead;  /* by no more than the calls carried meanwhile */
	int starts; /* to where the calls come from the file's start: rewound, or opened again */
	int jumps;  /* to where only a seek leads */
};

struct subject {
	pid_t pid;
	const char *name;
	long threads;
	int seccomp;	     /* /proc/PID/status: 0 none, 1 strict, 2 a filter */
	const char *library; /* NULL if it is not in it; what it is: "on", "off"... */
	bool is_kept;	     /* does the library keep offsets? */
	bool is_readable, is_secure;
	struct opened *opened;
	int count;  /* of them */
	int others; /* descriptors of other kinds */
};

/* Reads what /proc tells; an exit status, after a line if it is not EXIT_SUCCESS. */
int subject_read(pid_t pid, struct subject *process, struct program *program);
/* Finds its open files and watches their offsets for a second. */
void subject_watch(struct subject *process);
/* With the library in it: what that is. */
void subject_library(struct subject *subject);
/* A file of /proc/PID, as a text; NULL with errno set. */
char *subject_text(pid_t pid, const char *name, size_t *length);

/* ---- the answer (check.c, check_judge.c, check_print.c) ---- */

enum verdict { MAY_HELP, NOTHING_TO_GAIN, NO_USE };

struct answer {
	const char *asked;   /* the word of the command line */
	const char *refuses; /* what it is, if the library is not loaded into such */
	enum verdict verdict;
	const char *why;      /* the first line, behind the verdict */
	struct lines reasons; /* the lines under it */
	struct program program;
	struct subject process; /* pid 0: a program was asked for */
};

void judge(struct answer *answer);
void judge_process(struct answer *answer);	   /* adds to it */
const char *calls_text(unsigned calls);		   /* "lseek, read, write" */
bool subject_seeks(const struct subject *process); /* did an offset jump? */
void answer_print(const struct answer *answer);
void answer_print_json(const struct answer *answer);

#endif
