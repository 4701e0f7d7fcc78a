/* SPDX-License-Identifier: MIT */
/*
 * Floor 2, state: audit (SEEKLESS=audit).  Every call goes to the kernel unchanged; beside it the
 * word keeps the offset that we would have (W8), and where the kernel says another one, that is
 * reported.
 */
#ifndef AUDIT_H
#define AUDIT_H

#include "fdtab.h"

/* The last disagreements, for the report; the counter audit.wrong tells how many there were. */
enum { AUDIT_KEPT = 8 };
struct disagreement {
	int fd;
	const char *at; /* what the program was doing; NULL: not used */
	int64_t ours, kernels;
	char path[200]; /* cut off at its end */
};
extern struct disagreement audit_kept[AUDIT_KEPT];

/*
 * What audit has found by file, for a file that gained is closed by the time of the report.  A number
 * that is closed or handed back leaves here what its description would have saved.  The first entry
 * takes what has no place.  Nobody waits for an entry that is being filled: then a file has two.
 */
enum { AUDIT_FILES = 256 };
enum audit_file_state { FILE_FREE, FILE_FILLED, FILE_READY };
struct audit_file {
	uint32_t state;
	uint32_t hash;	       /* of the path */
	uint64_t saved, calls; /* lseeks that would have been; calls that were followed */
	char path[424];	       /* cut off at its end */
};
extern struct audit_file audit_files[AUDIT_FILES];

/* What the number is open on, cut off at its end; empty where nobody can say. */
void audit_read_path(int fd, char *path, size_t size);

/* While the number is open. */
void audit_keep(int fd, struct ofd *o);
void audit_keep_all(void); /* at the end of the program */

void audit_reset_in_child(void);

/*
 * Two answers that differ, unless others were at work: then the order is only the kernel's to know.
 */
void audit_disagree(const struct look *l, const char *at, int64_t ours, int64_t kernels);

/*
 * After ofd_enter: the offset before the call.  Every now and then the kernel is asked, and then it
 * is the kernel's.
 */
int64_t audit_before(const struct look *l, const char *at);
/* In the place of ofd_leave: the offset after the call, if it is known. */
void audit_after(struct look *l, int64_t off, bool known);

/* Before a close. */
void audit_close(const struct look *l);

/* As ofd_hand_back.  Nothing is to be brought to the kernel, but it is asked. */
bool audit_hand_back(struct look *l, enum reason why, bool for_good);

#endif
