/* SPDX-License-Identifier: MIT */
/* Floor 1: what the environment says, read once, at start.  README.md lists names and values. */
#ifndef CONFIG_H
#define CONFIG_H

#include "ground.h"
#include <limits.h>

#define AHEAD_AUTO 1UL
enum size_probe { SIZE_FSTAT, SIZE_LSEEK, SIZE_AUTO };

struct config {
	bool on;
	bool filtered; /* there was a filter of system calls at start */
	bool audit;    /* every call goes to the kernel, and is compared with what we would say */
	bool hidden;   /* SEEKLESS_STATS=off: other processes find nothing */
	bool json;     /* SEEKLESS_FORMAT=json: the report is a line for machines */
	bool at_exit;  /* SEEKLESS_AT_EXIT=report: it is written when the process ends, too */
	bool refused;  /* on, if it were not for a filter of system calls */
	unsigned audit_every; /* calls, between two questions to the kernel */
	enum size_probe size;
	int signal;	       /* 0: none */
	bool signal_named;     /* by the user: then it runs beside the program's own action */
	uint64_t ahead;	       /* SEEKLESS_READAHEAD: 0, AHEAD_AUTO or bytes */
	bool drop_deepbind;    /* SEEKLESS_DEEPBIND=drop: load such libraries as all others */
	bool keep;	       /* test build: contention never lets go */
	unsigned long wrong;   /* test build: after so many audited calls, an offset that is wrong */
	char stats[PATH_MAX];  /* SEEKLESS_STATS=FOLDER, absolute; empty: none */
	char report[PATH_MAX]; /* absolute; %p not yet replaced; empty: standard error */
};
extern struct config config;

void config_read(void);
bool config_ahead(const char *value, uint64_t *ahead); /* false: no such value */

#endif
