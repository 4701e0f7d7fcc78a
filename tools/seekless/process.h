// SPDX-License-Identifier: MIT
/* Another process that has the library in it, read from outside (include/seekless.h). */
#ifndef SEEKLESS_PROCESS_H
#define SEEKLESS_PROCESS_H

#include <seekless.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct process {
	pid_t pid;
	char program[64]; /* the last part of the name it was started by; made printable */
	char library[4096];
	struct seekless_root root;
	char *names;		   /* root.names_size bytes and an end */
	const char **key, **words; /* kinds + reasons of each; into names */
	uint64_t *n;		   /* root.n sums; see process_count */
	bool off, retired;
};

/* Why not, as an exit status; the line that says it is in `why`. */
enum attach {
	ATTACHED = 0,
	NOT_THERE,   /* dead, a zombie, or a thread of the kernel */
	NO_LIBRARY,  /* in it */
	OTHER_ONE,   /* another version of the layout */
	NOT_ALLOWED, /* another user's, or guarded in another way */
	HIDDEN,	     /* SEEKLESS_STATS=off */
};
/* After ATTACHED, process_detach frees. */
enum attach process_attach(pid_t pid, struct process *p, char *why, size_t why_size);
void process_detach(struct process *p);

/* A process number in words; 0 after a line of ours. */
pid_t process_number(const char *word);

/* Memory of the process; false: not readable (any more). */
bool process_read(const struct process *p, uint64_t at, void *to, size_t n);
bool process_write(const struct process *p, uint64_t at, const void *from, size_t n);

/* Sums the counters up, anew, and looks whether it is off; false: the process is gone. */
bool process_count(struct process *p);
/* 0 where there is no such counter in that version of the library. */
uint64_t process_counter(const struct process *p, const char *key);

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

struct disagreement {
	int fd;
	char at[64], path[200]; /* printable */
	int64_t ours, kernels;
};
/* Up to `most`; how many. */
size_t process_disagreements(const struct process *p, struct disagreement *d, size_t most);

#endif
