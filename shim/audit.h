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
void audit_compare(const struct look *l, const char *at);

/* As ofd_hand_back.  Nothing is to be brought to the kernel, but it is asked. */
bool audit_hand_back(struct look *l, bool for_good);

#endif
