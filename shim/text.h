/* SPDX-License-Identifier: MIT */
/*
 * Floor 1: text for people, put together without stdio or malloc, so that it can be written in a
 * signal handler.  Whatever does not fit in the buffer goes out first.
 */
#ifndef TEXT_H
#define TEXT_H

#include "ground.h"

/*
 * What fits goes out at once: processes that append to one file do not mix it.  Too large for the stack
 * of a thread, or of a signal handler: each is static, with one user at a time.
 */
struct text {
	int fd;	  /* -1: collect only, cut what does not fit */
	bool cut; /* a write has failed: nothing more goes out */
	long error; /* by which */
	size_t n;
	char buf[16384];
};

static inline void text_begin(struct text *t, int fd)
{
	t->fd = fd;
	t->cut = false;
	t->error = 0;
	t->n = 0;
}
void text_char(struct text *t, char c);
void text_str(struct text *t, const char *s);
void text_num(struct text *t, uint64_t n, int width); /* right-aligned in width */
void text_flush(struct text *t, int fd);

#endif
