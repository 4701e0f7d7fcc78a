// SPDX-License-Identifier: MIT
/* Another process that has the library in it, read from outside (include/seekless.h). */
#ifndef SEEKLESS_PROCESS_H
#define SEEKLESS_PROCESS_H

#include <seekless.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct process {
	pid_t pid;
	char program[64];   /* the last part of the name it was started by; made printable */
	char library[4096]; /* made printable */
	uint64_t root_at;
	struct seekless_root root;
	char *names;		   /* root.names_size bytes and an end */
	const char **key, **words; /* kinds + reasons of each; into names */
	uint64_t *n;		   /* root.n sums; see process_count */
	bool off, retired;
	/* The image of a process in a file, in the place of its memory; NULL: it is the memory. */
	const struct seekless_image *image;
};

/* Why not, as an exit status; the line that says it is in `why`. */
enum attach {
	ATTACHED = 0,
	NOT_THERE,   /* dead, a zombie, or a thread, also of the kernel */
	NO_LIBRARY,  /* in it */
	OTHER_ONE,   /* another version of the layout */
	NOT_ALLOWED, /* another user's, or guarded in another way */
	HIDDEN,	     /* SEEKLESS_STATS=off */
};
/* After ATTACHED, process_detach frees. */
/* From a file of SEEKLESS_STATS=FOLDER.  False: it is none, or its process has ended. */
bool process_attach_image(const char *folder, const char *name, struct process *p);
enum attach process_attach(pid_t pid, struct process *p, char *why, size_t why_size);
void process_detach(struct process *p);

/* The parts of process_attach.  By /proc/PID/maps, the root; its counters' names; who it is. */
enum located {
	NOTHING_MAPPED, /* not even a program */
	LIBRARY_ABSENT,
	LIBRARY_UNKNOWN, /* it is there, but of another layout */
	LIBRARY_FOUND,
};
enum located process_locate(struct process *p, FILE *maps);
bool process_read_root(struct process *p);
bool process_read_names(struct process *p);
void process_read_program(struct process *p);
void process_forget(struct process *p);

/* A file of /proc/PID. */
FILE *process_open(pid_t pid, const char *name);

/* The processes there are, by number, to be freed; NULL: errno says why not. */
struct listed {
	pid_t pid;
	uint64_t inode; /* of /proc/PID, which no other process of that number had before */
};
struct listed *process_list(size_t *n);

/* A process number in words; 0 after a line of ours. */
pid_t process_number(const char *word);

/* Memory of the process; false: not readable (any more). */
bool process_read(const struct process *p, uint64_t at, void *to, size_t n);
bool process_write(const struct process *p, uint64_t at, const void *from, size_t n);

/* Text, made printable; it may end before SIZE bytes are readable.  Empty: not readable. */
void process_read_text(const struct process *p, uint64_t at, char *to, size_t size);

/* Sums the counters up, anew, and looks whether it is off; false: the process is gone, or another. */
bool process_count(struct process *p);
/* 0 where there is no such counter in that version of the library. */
uint64_t process_counter(const struct process *p, const char *key);

/*
 * The lseeks that the program made and the library saw.  Saved: the library answered, without an lseek
 * of the kernel's.  That is so for all but those it passed on and those that only the kernel
 * could judge.  What it cost: an fstat in the place of each size probe, and an lseek that brings
 * the kernel each offset that is handed back.
 */
struct lseeks {
	uint64_t made, saved, by_fstat, handed_back;
};
struct lseeks process_lseeks(const struct process *p);

/* A number that is followed, and what is known of its description. */
struct followed {
	int fd;
	bool changes; /* the number is just changing hands */
	uint64_t at;  /* of the description, in the process */
	int64_t offset;
	uint64_t ctl;
	uint32_t saved;
	uint8_t why;
};
/* All of them, to be freed.  False: the process is gone. */
bool process_followed(const struct process *p, struct followed **list, size_t *n);
/* What a number of it refers to; printable.  False: nothing (any more). */
bool process_path(const struct process *p, int fd, char *path, size_t size);

/*
 * What an audit has kept by file, of numbers that are closed or handed on, the best first; to be freed.  *n:
 * how many, at most `most`.  The paths are printable.
 */
struct seekless_file *process_files(const struct process *p, size_t *n, size_t most);

struct disagreement {
	int fd;
	char at[64], path[200]; /* printable */
	int64_t ours, kernels;
};
/* Up to `most`; how many. */
size_t process_disagreements(const struct process *p, struct disagreement *d, size_t most);

#endif
