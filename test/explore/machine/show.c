/* SPDX-License-Identifier: MIT */
/* The explorer's steps, as a list that a person can follow. */
#include "explore.h"
#include "fdtab.h"
#include <stdio.h>

static void show_word(const struct word *w)
{
	static const char *const states[] = {"FREE",	"KERNEL", "OURS",    "WRITING",
					     "HANDING", "GONE",	  "AUDITED", "?"};

	printf("{%ld %s who %d seq %u%s%s%s%s%s}", (long)w->off, states[w->ctl & W_STATE],
	       word_who(*w), (unsigned)(w->ctl >> 32), w->ctl & W_APPEND ? " append" : "",
	       w->ctl & W_KNOWN ? " known" : "", w->ctl & W_WAITERS ? " waiters" : "",
	       w->ctl & W_SEEKED ? " seeked" : "", w->ctl & W_ADMITTED ? " admitted" : "");
}

static void show_ofd(uintptr_t off)
{
	size_t i = off / sizeof(struct ofd), in = off % sizeof(struct ofd);

	printf("ofd %zu ", i);
	if (in < sizeof(struct word))
		show_word(&hot.at_start[i].word);
	else
		printf("%s", in == offsetof(struct ofd, refs)	  ? "refs"
			     : in == offsetof(struct ofd, closer) ? "closer"
			     : in == offsetof(struct ofd, limit)  ? "limit"
			     : in == offsetof(struct ofd, flight) ? "flight"
								  : "(field)");
}

static void show_slot(size_t fd)
{
	uintptr_t s = hot.slot[fd];

	printf("slot %zu", fd);
	if (slot_ofd(s))
		printf(" = ofd %ld", (long)(slot_ofd(s) - hot.at_start));
	printf("%s%s%s%s", s & S_CLOSING ? " CLOSING" : "", s & S_CHANGING ? " CHANGING" : "",
	       s & S_LATE ? " LATE" : "", s ? "" : " = 0");
}

static void show_address(const volatile void *at)
{
	uintptr_t off = (uintptr_t)at - (uintptr_t)&hot;

	if (off >= offsetof(struct hot, slot) && off < sizeof(hot))
		show_slot((off - offsetof(struct hot, slot)) / sizeof(uintptr_t));
	else if (off >= offsetof(struct hot, at_start) && off < sizeof(hot))
		show_ofd(off - offsetof(struct hot, at_start));
	else if (off < offsetof(struct hot, at_start))
		printf("hot.%s = %u",
		       off == offsetof(struct hot, paused)  ? "paused"
		       : off == offsetof(struct hot, forks) ? "forks"
		       : off == offsetof(struct hot, high)  ? "high"
		       : off == offsetof(struct hot, free)  ? "free"
							    : "(field)",
		       *(const volatile uint32_t *)at);
	else
		printf("flight");
}

void show_step(int code, const struct step *s)
{
	int thread = thread_of(code);

	if (code == SIGNAL) {
		printf("thread %d  ** a signal **\n", thread);
		return;
	}
	printf("thread %d  %s:%d %s: ", thread, s->place->file, s->place->line, s->place->function);
	if (code >= TIMEOUT)
		printf("the sleep ends by time");
	else if (s->is_call)
		printf("the kernel's %s(%ld, .., %ld, %ld)", s->name, s->arg[0], s->arg[2],
		       s->arg[3]);
	else
		printf("%s ", s->name);
	if (code < THREADS && !s->is_call && s->n && s->access[0].kind <= STORE)
		show_address(s->access[0].at);
	printf("\n");
}
