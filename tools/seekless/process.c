// SPDX-License-Identifier: MIT
/* Another process: its memory, who it is, and why it cannot be looked at. */
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "printable.h"
#include "process.h"
#include "seekless.h"

pid_t process_number(const char *word)
{
	char *end;
	long n = strtol(word, &end, 10);

	if (*word >= '1' && *word <= '9' && !*end && n > 0 && n <= 0x7fffffff)
		return (pid_t)n;
	say("'%s' is not a process number", word);
	return 0;
}

FILE *process_open(pid_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return fopen(path, "re");
}

/* ---- who it is ---- */

/* The name that exec was given: its last part is what the library calls the program, too. */
static bool read_exec_name(struct process *p, char *name, size_t size)
{
	ElfW(auxv_t) pair;
	FILE *f = process_open(p->pid, "auxv");

	*name = '\0';
	while (f && fread(&pair, sizeof(pair), 1, f) == 1)
		if (pair.a_type == AT_EXECFN)
			process_read_text(p, pair.a_un.a_val, name, size);
	if (f)
		fclose(f);
	return *name;
}

/* Readable for everyone. */
static void read_command_name(struct process *p, char *name, size_t size)
{
	FILE *f = process_open(p->pid, "comm");

	*name = '\0';
	if (f && fgets(name, (int)size, f))
		name[strcspn(name, "\n")] = '\0';
	if (f)
		fclose(f);
	make_printable(name);
}

void process_read_program(struct process *p)
{
	char name[4096], *slash;

	if (!read_exec_name(p, name, sizeof(name)))
		read_command_name(p, name, sizeof(name));
	slash = strrchr(name, '/');
	snprintf(p->program, sizeof(p->program), "%.63s", slash && slash[1] ? slash + 1 : name);
	make_printable(p->program); /* it may have been cut off within a character */
}

/* ---- why not ---- */

/* It has no memory of a program's: a thread of the kernel, or at its end, or there is none. */
static enum attach no_program(pid_t pid, char *why, size_t size)
{
	enum { IS_KERNELS = 0x00200000 }; /* PF_KTHREAD, proc_pid_stat(5) */
	char line[512], state = '?', *end;
	unsigned flags = 0;
	FILE *f = process_open(pid, "stat");
	bool there = f && fgets(line, sizeof(line), f) && (end = strrchr(line, ')')) &&
		     sscanf(end, ") %c %*d %*d %*d %*d %*d %u", &state, &flags) == 2;

	if (f)
		fclose(f);
	if (!there)
		snprintf(why, size, "there is no process %d", (int)pid);
	else if (flags & IS_KERNELS)
		snprintf(why, size, "process %d is a thread of the kernel, not a program",
			 (int)pid);
	else if (state == 'Z')
		snprintf(why, size,
			 "process %d has ended: it is a zombie, until its parent asks for it",
			 (int)pid);
	else
		snprintf(why, size, "process %d is just ending", (int)pid);
	return NOT_THERE;
}

static enum attach not_allowed(const struct process *p, char *why, size_t size)
{
	snprintf(why, size, "process %d (%s) may not be read: %s", (int)p->pid, p->program,
		 geteuid() ? "it is another user's, or has changed its user since it "
			     "started, or is guarded (kernel.yama.ptrace_scope); root may"
			   : "it is guarded, or of another container");
	return NOT_ALLOWED;
}

/* A thread has a folder in /proc that is not listed; 0: it is none. */
static pid_t thread_of(pid_t pid)
{
	FILE *f = process_open(pid, "status");
	char line[256];
	int tgid = 0;

	while (f && !tgid && fgets(line, sizeof(line), f))
		sscanf(line, "Tgid: %d", &tgid);
	if (f)
		fclose(f);
	return tgid == pid ? 0 : tgid;
}

/* By what looking has found, and errno. */
static enum attach judge(struct process *p, enum located found, char *why, size_t size)
{
	int error = errno;
	pid_t owner = thread_of(p->pid);

	process_read_program(p);
	if (owner) {
		snprintf(why, size, "%d is a thread of process %d (%s): give that number",
			 (int)p->pid, (int)owner, p->program);
		return NOT_THERE;
	}
	if (error == EACCES || error == EPERM)
		return not_allowed(p, why, size);
	if (found == NOTHING_MAPPED || error == ESRCH)
		return no_program(p->pid, why, size);
	if (found == LIBRARY_FOUND && p->root.magic)
		return ATTACHED;
	if (found == LIBRARY_FOUND) {
		snprintf(why, size,
			 "process %d (%s) lets nobody look: it was started with SEEKLESS_STATS=off",
			 (int)p->pid, p->program);
		return HIDDEN;
	}
	if (found == LIBRARY_ABSENT) {
		snprintf(why, size,
			 "process %d (%s) has no libseekless.so in it; `seekless run` starts a "
			 "program with it",
			 (int)p->pid, p->program);
		return NO_LIBRARY;
	}
	snprintf(why, size,
		 "process %d (%s) has a version of the library that this command cannot read: %s",
		 (int)p->pid, p->program, p->library);
	return OTHER_ONE;
}

/* ---- all of it ---- */

static enum located look_at(struct process *p)
{
	FILE *maps = process_open(p->pid, "maps");
	enum located found;

	if (!maps)
		return NOTHING_MAPPED;
	found = process_locate(p, maps);
	fclose(maps);
	if (found != LIBRARY_FOUND || !p->root.magic)
		return found;
	errno = 0;
	return process_read_names(p) && process_count(p) ? LIBRARY_FOUND : LIBRARY_UNKNOWN;
}

enum attach process_attach(pid_t pid, struct process *p, char *why, size_t size)
{
	static const struct timespec nap = {0, 5000000};
	enum located found = NOTHING_MAPPED;
	enum attach as;

	/* What the loader is just about to put there is not readable yet. */
	for (int i = 0; i < 4; i++) {
		if (i)
			nanosleep(&nap, NULL);
		memset(p, 0, sizeof(*p));
		p->pid = pid;
		errno = 0;
		found = look_at(p);
		if (found != LIBRARY_UNKNOWN)
			break;
		process_forget(p);
	}
	as = judge(p, found, why, size);
	if (as != ATTACHED)
		process_forget(p);
	return as;
}

/* What process_read_names has come to. */
void process_forget(struct process *p)
{
	free(p->names);
	free(p->key);
	free(p->words);
	free(p->n);
	p->names = NULL;
	p->key = p->words = NULL;
	p->n = NULL;
}

void process_detach(struct process *p)
{
	process_forget(p);
	free((void *)p->image);
	memset(p, 0, sizeof(*p));
}
