// SPDX-License-Identifier: MIT
/* `seekless check`: a process that has the library in it already. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "process.h"

/* What the library was told at the start of the process, where it does not say itself what it is. */
static void by_environment(struct subject *subject)
{
	size_t length = 0;
	char *text = subject_text(subject->pid, "environ", &length);

	subject->library = "off at its start";
	for (size_t i = 0; text && i < length; i += strlen(text + i) + 1)
		if (!strcmp(text + i, "SEEKLESS=on") || !strcmp(text + i, "SEEKLESS=1")) {
			subject->library = "on at its start";
			subject->is_kept = true;
		}
	free(text);
}

void subject_library(struct subject *subject)
{
	char why[512];
	struct process process;

	if (process_attach(subject->pid, &process, why, sizeof(why)) != ATTACHED) {
		by_environment(subject);
		return;
	}
	if (process.root.state == SEEKLESS_IDLE)
		subject->library = "off";
	else if (process.retired)
		subject->library = "given up by itself";
	else if (process.off)
		subject->library = "switched off";
	else
		subject->library = process.root.state == SEEKLESS_AUDIT ? "on for an audit" : "on";
	subject->is_kept = process.root.state == SEEKLESS_ON && !process.off && !process.retired;
	process_detach(&process);
}
