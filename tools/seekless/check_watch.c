// SPDX-License-Identifier: MIT
/* `seekless check`: what is said of a running process. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { LINES = 5 }; /* so many descriptors are named */

bool subject_seeks(const struct subject *process)
{
	for (int i = 0; i < process->count; i++)
		if (process->opened[i].jumps && process->opened[i].is_followed)
			return true;
	return false;
}

/* "12 on ext2/ext3/ext4, 3 on nfs" */
static const char *by_system(const struct subject *process)
{
	const char *text = "";

	for (int i = 0; i < process->count; i++) {
		const char *system = process->opened[i].system;
		int same = 0, first = -1;

		for (int n = 0; n < process->count; n++) {
			if (strcmp(process->opened[n].system, system))
				continue;
			first = first < 0 ? n : first;
			same++;
		}
		if (first == i)
			text = text_make("%s%s%d on %s", text, *text ? ", " : "", same, system);
	}
	return text;
}

static void note_files(struct answer *answer)
{
	const struct subject *process = &answer->process;
	int followed = 0, standard = 0;

	for (int i = 0; i < process->count; i++) {
		followed += process->opened[i].is_followed;
		standard += process->opened[i].fd <= 2;
	}
	if (!process->count) {
		lines_add(&answer->reasons,
			  "no file or block device is open (%d other descriptors)",
			  process->others);
		return;
	}
	lines_add(&answer->reasons,
		  "files and block devices open meanwhile: %d (%s); other descriptors: %d",
		  process->count, by_system(process), process->others);
	if (followed == process->count)
		lines_add(&answer->reasons,
			  "the library would follow all of them that it sees opened");
	else
		lines_add(&answer->reasons, "the library would follow %d of them: not%s%s%s",
			  followed, standard ? " descriptors 0 to 2" : "",
			  standard && followed + standard < process->count ? ", not" : "",
			  followed + standard < process->count
				  ? " what is on file systems that it leaves alone"
				  : "");
}

static int moves_of(const struct opened *opened)
{
	return opened->jumps + opened->starts + opened->ahead;
}

/* The busiest first: what jumps, then what moves. */
static int by_moves(const void *a, const void *b)
{
	const struct opened *x = a, *y = b;

	if (x->jumps != y->jumps)
		return x->jumps < y->jumps ? 1 : -1;
	if (moves_of(x) != moves_of(y))
		return moves_of(x) < moves_of(y) ? 1 : -1;
	return x->fd - y->fd;
}

static void note_moves(struct answer *answer)
{
	struct subject *process = &answer->process;
	int moving = 0;

	qsort(process->opened, (size_t)process->count, sizeof(*process->opened), by_moves);
	for (int i = 0; i < process->count; i++) {
		const struct opened *o = &process->opened[i];

		if (!moves_of(o) || ++moving > LINES)
			continue;
		lines_add(&answer->reasons,
			  "descriptor %d (%s), %d looks in a second: its offset jumped %d times, "
			  "went on %d times and started again %d times%s",
			  o->fd, o->file, o->looks, o->jumps, o->ahead, o->starts,
			  !o->jumps	   ? ""
			  : o->is_followed ? ": it seeks"
					   : ", but the library would not follow it");
	}
	if (moving > LINES)
		lines_add(&answer->reasons, "offsets of %d more moved", moving - LINES);
	if (process->is_kept)
		lines_add(&answer->reasons, "offsets that the library keeps do not show here");
	else if (process->count && !moving)
		lines_add(&answer->reasons,
			  "in the second that it was watched no offset moved; files that are open "
			  "for "
			  "milliseconds only are not seen: `seekless audit` counts them");
}

/* What the first line says of now. */
static void judge_now(struct answer *answer)
{
	const struct subject *process = &answer->process;
	bool moves = false;

	for (int i = 0; i < process->count; i++)
		moves = moves || moves_of(&process->opened[i]);
	if (answer->verdict == NO_USE)
		return;
	if (process->library)
		answer->why = text_make("%s; the library is in it already, and %s", answer->why,
					process->library);
	else if (answer->verdict == MAY_HELP)
		answer->why = text_make("%s, and %s", answer->why,
					subject_seeks(process) ? "it seeks now"
					: moves		       ? "what moves now goes straight on"
							       : "no offset moves now "
								 "in the files that stay open");
}

void judge_process(struct answer *answer)
{
	const struct subject *process = &answer->process;

	judge_now(answer);
	lines_add(&answer->reasons, "process %d (%s): %ld thread%s; the library is %s%s",
		  process->pid, process->name, process->threads, process->threads == 1 ? "" : "s",
		  process->library ? "in it, and " : "not in it",
		  process->library ? process->library : "");
	note_files(answer);
	note_moves(answer);
	if (process->seccomp == 2)
		lines_add(&answer->reasons,
			  "a filter of system calls (seccomp) is on: where it refuses "
			  "pread or pwrite, the library stays off");
	lines_add(&answer->reasons, "its memory %s be read from here%s",
		  process->is_readable ? "can" : "cannot",
		  process->is_readable
			  ? ""
			  : ": it takes its user's rights, or root's, to look further");
}
