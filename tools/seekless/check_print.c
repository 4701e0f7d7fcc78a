// SPDX-License-Identifier: MIT
/* `seekless check`: the answer as text, and as JSON. */
#include <stdio.h>
#include <string.h>

#include "check.h"

static const char *const verdicts[] = {
	[MAY_HELP] = "may help",
	[NOTHING_TO_GAIN] = "nothing to gain",
	[NO_USE] = "cannot",
};

/* Names of files may have anything in them; a line stays a line. */
static void put_line(const char *before, const char *verdict, const char *text)
{
	fputs(before, stdout);
	fputs(verdict, stdout);
	for (; *text; text++)
		putchar((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text);
	putchar('\n');
}

void answer_print(const struct answer *answer)
{
	put_line(verdicts[answer->verdict], ": ", answer->why);
	for (int i = 0; i < answer->reasons.count; i++)
		put_line("", "    ", answer->reasons.line[i]);
}

static void put_member(const char *name, const char *text)
{
	printf(",\"%s\":", name);
	if (text)
		json_string(text);
	else
		fputs("null", stdout);
}

static void put_lines(const char *name, const struct lines *lines)
{
	printf(",\"%s\":[", name);
	for (int i = 0; i < lines->count; i++) {
		if (i)
			putchar(',');
		json_string(lines->line[i]);
	}
	putchar(']');
}

static void put_object(const struct object *object)
{
	int kept = object->sites.count < SITES_KEPT ? object->sites.count : SITES_KEPT;
	const char *comma = "";

	fputs("{\"file\":", stdout);
	json_string(object->file);
	put_member("name", object->name);
	fputs(",\"imports\":[", stdout);
	for (int i = 0; i < CALLS; i++) {
		if (!(object->calls & CALL_BIT(i)))
			continue;
		printf("%s\"%s\"", comma, call_names[i]);
		comma = ",";
	}
	printf("],\"syscall_instructions\":%d,\"syscalls\":[", object->sites.count);
	for (int i = 0; i < kept; i++) {
		const struct site *site = &object->sites.site[i];

		printf("%s{\"address\":%llu,\"number\":", i ? "," : "",
		       (unsigned long long)site->address);
		if (site->number == NUMBER_UNKNOWN)
			fputs("null", stdout);
		else
			printf("%ld", site->number);
		printf(",\"matters\":%s}", number_matters(site->number) ? "true" : "false");
	}
	fputs("]}", stdout);
}

static const char *word(bool is)
{
	return is ? "true" : "false";
}

static void put_opened(const struct opened *o)
{
	printf("{\"fd\":%d", o->fd);
	put_member("file", o->file);
	put_member("filesystem", o->system);
	printf(",\"block\":%s,\"followed\":%s,\"looks\":%d,\"ahead\":%d,\"starts\":%d,\"jumps\":%"
	       "d}",
	       word(o->is_block), word(o->is_followed), o->looks, o->ahead, o->starts, o->jumps);
}

static void put_process(const struct subject *process)
{
	printf(",\"process\":{\"pid\":%d", process->pid);
	put_member("name", process->name);
	printf(",\"threads\":%ld", process->threads);
	put_member("library", process->library);
	printf(",\"seccomp\":%d,\"readable\":%s,\"seeks\":%s,\"other_descriptors\":%d,\"opened\":[",
	       process->seccomp, word(process->is_readable), word(subject_seeks(process)),
	       process->others);
	for (int i = 0; i < process->count; i++) {
		if (i)
			putchar(',');
		put_opened(&process->opened[i]);
	}
	fputs("]}", stdout);
}

void answer_print_json(const struct answer *answer)
{
	fputs("{\"asked\":", stdout);
	json_string(answer->asked);
	put_member("file", answer->program.file);
	put_member("verdict", verdicts[answer->verdict]);
	put_member("why", answer->why);
	put_lines("reasons", &answer->reasons);
	put_lines("missing", &answer->program.missing);
	fputs(",\"objects\":[", stdout);
	for (int i = 0; i < answer->program.count; i++) {
		if (i)
			putchar(',');
		put_object(answer->program.object[i]);
	}
	putchar(']');
	if (answer->process.pid)
		put_process(&answer->process);
	puts("}");
}
