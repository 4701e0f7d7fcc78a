// SPDX-License-Identifier: MIT
/* `seekless check`: what follows from what a program imports and does. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { LINES = 6, NAMED = 4 }; /* so many libraries that seek, and calls past libc, are named */

const char *calls_text(unsigned calls)
{
	const char *text = "";

	for (int i = 0; i < CALLS; i++)
		if (calls & CALL_BIT(i))
			text = text_make("%s%s%s", text, *text ? ", " : "", call_names[i]);
	return text;
}

static bool pairs(unsigned calls)
{
	return (calls & CALL_BIT(CALL_SEEKG)) ||
	       ((calls & CALL_BIT(CALL_SEEK)) && (calls & TRANSFERS));
}

/* The libraries that have pairs. */
static const char *who_pairs(const struct program *program)
{
	const char *names = "";
	int count = 0;

	for (int i = 1; i < program->count; i++) {
		if (!pairs(program->object[i]->calls))
			continue;
		if (++count <= 3)
			names = text_make("%s%s%s", names, *names ? ", " : "",
					  program->object[i]->name);
	}
	return count > 3 ? text_make("%s and %d more", names, count - 3) : names;
}

/* The verdict from the imports of all that is loaded. */
static void judge_imports(struct answer *answer)
{
	const struct program *program = &answer->program;
	const unsigned own = program->object[0]->calls;
	const char *libraries = who_pairs(program);
	unsigned all = 0;

	for (int i = 0; i < program->count; i++)
		all |= program->object[i]->calls;
	answer->verdict = pairs(own) || *libraries ? MAY_HELP : NOTHING_TO_GAIN;
	if (pairs(own))
		answer->why = text_make(
			"it calls %s itself",
			calls_text(own & (CALL_BIT(CALL_SEEK) | CALL_BIT(CALL_SEEKG) | TRANSFERS)));
	else if (*libraries)
		answer->why =
			text_make("not by itself, but by calls of %s, which it loads", libraries);
	else if (pairs(all))
		answer->why = "what calls lseek in it calls neither read nor write";
	else if (all & CALL_BIT(CALL_SEEK))
		answer->why = "it calls lseek, but neither read nor write";
	else if (all & CALL_BIT(CALL_STREAM))
		answer->why = "it seeks only in libc's streams (fseek), whose calls are libc's own";
	else if (all & (CALL_BIT(CALL_PREAD) | CALL_BIT(CALL_PWRITE)))
		answer->why = "it says where to read and write by itself (pread, pwrite), and "
			      "never seeks";
	else if (all & CALL_BIT(CALL_URING))
		answer->why = "it never seeks, and uses io_uring";
	else
		answer->why = text_make("nothing in it calls lseek%s",
					all & CALL_BIT(CALL_MMAP) ? "; it maps files (mmap)" : "");
}

/* What is said of the system call instructions of one object. */
static void note_sites(struct answer *answer, const struct object *object)
{
	const struct sites *sites = &object->sites;
	int kept = sites->count < SITES_KEPT ? sites->count : SITES_KEPT, matter = 0;
	const char *first = "";

	for (int i = 0; i < kept; i++) {
		const char *name = number_matters(sites->site[i].number);

		if (!name || matter++ >= NAMED)
			continue;
		first = text_make("%s%s %s at 0x%llx", first, *first ? "," : "", name,
				  (unsigned long long)sites->site[i].address);
	}
	if (!sites->count)
		return;
	if (!matter && kept == sites->count)
		lines_add(&answer->reasons,
			  "%s makes system calls without libc (%d instruction%s), none of which "
			  "moves "
			  "an offset or closes a descriptor",
			  object->name, sites->count, sites->count == 1 ? "" : "s");
	else
		lines_add(
			&answer->reasons,
			"careful: %s makes system calls without libc (%d instruction%s), which the "
			"library does not see:%s%s. Try it by `SEEKLESS=audit`",
			object->name, sites->count, sites->count == 1 ? "" : "s", first,
			matter > NAMED ? ", ..." : "");
}

/* A line on what the program imports, and one for each library that seeks. */
static void note_imports(struct answer *answer)
{
	const struct program *program = &answer->program;
	const unsigned seeks = CALL_BIT(CALL_SEEK) | CALL_BIT(CALL_SEEKG) | CALL_BIT(CALL_URING);
	int quiet = 0, more = 0, lines = 0;

	for (int i = 0; i < program->count; i++) {
		const struct object *object = program->object[i];

		if (i && !(object->calls & seeks))
			quiet += !object->is_libc;
		else if (lines++ > LINES)
			more++;
		else
			lines_add(&answer->reasons, "%s imports %s", object->name,
				  object->calls ? calls_text(object->calls) : "none of the calls");
	}
	if (more)
		lines_add(&answer->reasons, "%d more librar%s", more,
			  more == 1 ? "y seeks" : "ies seek");
	if (quiet)
		lines_add(&answer->reasons, "%d other librar%s not seek", quiet,
			  quiet == 1 ? "y does" : "ies do");
}

static void note_all_sites(struct answer *answer)
{
	const struct program *program = &answer->program;
	int sites = 0;

	for (int i = 0; i < program->count; i++) {
		note_sites(answer, program->object[i]);
		sites += program->object[i]->sites.count;
	}
	if (!sites)
		lines_add(&answer->reasons, "no system call instructions outside libc");
}

static void note_warnings(struct answer *answer)
{
	const struct program *program = &answer->program;
	const unsigned positioned =
		program->object[0]->calls & (CALL_BIT(CALL_PREAD) | CALL_BIT(CALL_PWRITE));
	unsigned all = 0;

	for (int i = 0; i < program->count; i++)
		all |= program->object[i]->calls;
	if (positioned && answer->verdict == MAY_HELP)
		lines_add(&answer->reasons, "what it does by %s stays as it is",
			  calls_text(positioned));
	if (all & CALL_BIT(CALL_URING))
		lines_add(&answer->reasons,
			  "careful: once it sets up io_uring, the library keeps no "
			  "offsets any more");
	for (int i = 0; i < program->missing.count; i++)
		lines_add(&answer->reasons, "not found: %s", program->missing.line[i]);
	if (!answer->process.pid && (program->object[0]->calls & CALL_BIT(CALL_DLOPEN)))
		lines_add(&answer->reasons, "what it loads later (dlopen) is not seen here; of a "
					    "running process it is");
}

/* Where the library can do nothing. */
static bool judge_refusal(struct answer *answer)
{
	const struct program *program = &answer->program;
	const char *is = answer->refuses;

	if (program->count && program->object[0]->is_go)
		is = text_make("%s, written in Go, which calls the kernel without libc",
			       is && strstr(is, "static") ? "a static program" : "a program");
	if (!is)
		return false;
	answer->verdict = NO_USE;
	answer->why = text_make("it is %s", is);
	return true;
}

void judge(struct answer *answer)
{
	if (answer->process.pid && answer->process.is_secure && !answer->refuses)
		answer->refuses =
			"a process that was given rights at its start (set-user-ID or the "
			"like): the loader ignores preloads";
	if (answer->process.seccomp == 1 && !answer->refuses)
		answer->refuses = "in the strict mode of seccomp, which ends it at the first pread";
	if (!judge_refusal(answer)) {
		judge_imports(answer);
		note_imports(answer);
		note_all_sites(answer);
		note_warnings(answer);
	}
	if (answer->process.pid)
		judge_process(answer);
}
