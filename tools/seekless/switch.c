// SPDX-License-Identifier: MIT
/*
 * `seekless off` and `seekless on`.
 *
 * Off stops all threads for an instant, and then does what hand_back.h says, through duplicates of the
 * descriptors (pidfd_getfd(2)).
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hand_back.h"
#include "process.h"
#include "seekless.h"
#include "stop.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

static const char help_off[] =
	"usage: seekless off PID... [--timeout SECONDS]\n"
	"\n"
	"Switches the library off in a running process.  When it returns 0, every offset is in\n"
	"the kernel, and will stay there until `seekless on`.  The process's threads are stopped\n"
	"for about a millisecond, as by a debugger: a wait that the kernel does not begin again\n"
	"(epoll_wait, semop, sigtimedwait) may end with EINTR.  Its later children are off, too:\n"
	"of a server of several processes, name the parent first.\n"
	"\n"
	"  --timeout SECONDS   how long to wait for writes that are under way (10)\n"
	"\n"
	"Exit status: 0; 1 if the process has no library that can be switched; 2 for a mistake in\n"
	"the words; 3 if there is no such process, or it may not be stopped; 4 if an offset is\n"
	"still held when the time is over: its descriptor is named, and nothing new is held.";

static const char help_on[] =
	"usage: seekless on PID...\n"
	"\n"
	"Undoes `seekless off PID`: offsets are kept again from each descriptor's next lseek on.\n"
	"\n"
	"Exit status: 0; 1 if the process has no library that can be switched; 2 for a mistake in\n"
	"the words; 3 if there is no such process, or it may not be written to.";

/* What one attempt has come to; told by a child of ours. */
struct attempt {
	enum stop stop;
	pid_t culprit;
	int error; /* with STOP_FORBIDDEN; else of a system call that must work */
	struct handing h;
};

/* Through a duplicate, which a lseek moves, too. */
static bool bring(const void *pidfd, int fd, int64_t offset)
{
	int dup = (int)syscall(SYS_pidfd_getfd, *(const int *)pidfd, fd, 0);
	bool ok = dup >= 0 && lseek(dup, offset, SEEK_SET) == offset;

	if (dup >= 0)
		close(dup);
	return ok;
}

/* In a child of ours, see stop.h. */
static void attempt_now(const struct process *p, int pidfd, struct attempt *a)
{
	struct stopped s;

	a->stop = stop_all(p->pid, &s, &a->culprit);
	a->error = a->stop == STOP_FORBIDDEN ? errno : 0;
	if (a->stop == ALL_STOPPED && !hand_back_all(p, bring, &pidfd, &a->h))
		a->error = errno;
	stop_end(&s);
}

static bool attempt(const struct process *p, int pidfd, struct attempt *a)
{
	pid_t child;
	int status;

	memset(a, 0, sizeof(*a)); /* shared with the child */
	child = fork();
	if (child == 0) {
		attempt_now(p, pidfd, a);
		_exit(0);
	}
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* ---- what is said ---- */

static int cannot_stop(const struct process *p, const struct attempt *a)
{
	char path[64], line[256];
	int tracer = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)p->pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		sscanf(line, "TracerPid: %d", &tracer);
	if (f)
		fclose(f);
	if (tracer)
		say("process %d is being traced already, by process %d (a debugger, strace): it "
		    "cannot be switched off now",
		    (int)p->pid, tracer);
	else
		say("process %d cannot be stopped: %s; root may", (int)p->pid, strerror(a->error));
	return EXIT_CANNOT;
}

static int still_held(const struct process *p, const struct attempt *a)
{
	char path[4096], list[512] = "";
	size_t at = 0;

	if (a->stop == ONE_RUNS_ON) {
		say("process %d is not off yet: thread %d does not stop (it waits for a vfork "
		    "child, or for a device); it takes no new offsets once it is: try again",
		    (int)p->pid, (int)a->culprit);
		return EXIT_HELD;
	}
	for (unsigned i = 0; i < a->h.n_held && i < sizeof(a->h.held) / sizeof(*a->h.held); i++) {
		const struct held *h = &a->h.held[i];

		if (!process_path(p, h->fd, path, sizeof(path)))
			*path = '\0';
		at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%d %.200s%s", i ? ", " : "",
				       h->fd, path, h->refused ? " (the kernel refuses it)" : "");
		if (at >= sizeof(list))
			break;
	}
	say("process %d takes no new offsets, but %u descriptor%s still held: %s", (int)p->pid,
	    a->h.n_held, a->h.n_held == 1 ? " is" : "s are", list);
	return EXIT_HELD;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int switch_off(const struct process *p, int pidfd, double timeout)
{
	double end = now() + timeout;
	unsigned handed = 0;
	struct attempt *a =
		mmap(NULL, sizeof(*a), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (a == MAP_FAILED) {
		say("%m");
		return EXIT_CANNOT;
	}
	for (int nap = 1;; nap = nap < 50 ? nap * 2 : nap) {
		if (!attempt(p, pidfd, a)) {
			say("cannot start a process that stops process %d: %m", (int)p->pid);
			return EXIT_CANNOT;
		}
		handed += a->h.handed;
		if (a->stop == STOP_FORBIDDEN)
			return cannot_stop(p, a);
		if (a->stop == ALL_GONE || a->error) {
			say("process %d has ended", (int)p->pid);
			return EXIT_CANNOT;
		}
		if (a->stop == ALL_STOPPED && !a->h.n_held)
			break;
		if (now() > end)
			return still_held(p, a);
		poll(NULL, 0, nap);
	}
	printf("process %d (%s) is off: every offset is in the kernel, %u handed back now\n",
	       (int)p->pid, p->program, handed);
	return finish_output();
}

/* ---- the words ---- */

static int attach_or_say(pid_t pid, struct process *p)
{
	char why[512];

	switch (process_attach(pid, p, why, sizeof(why))) {
	case ATTACHED:
		if (p->root.state == SEEKLESS_ON && !p->retired)
			return EXIT_SUCCESS;
		say("process %d (%s) keeps no offsets: %s", (int)pid, p->program,
		    p->retired ? "the library has retired there, `seekless stat` says why"
		    : p->root.state == SEEKLESS_IDLE ? "it was not started with SEEKLESS=on"
						     : "it was started with SEEKLESS=audit");
		process_detach(p);
		return EXIT_NO;
	case NO_LIBRARY:
	case OTHER_ONE:
	case HIDDEN:
		say("%s", why);
		return EXIT_NO;
	default:
		say("%s", why);
		return EXIT_CANNOT;
	}
}

/* Process numbers and, where it may be, --timeout SECONDS: leaves the numbers' words alone at *numbers. */
static bool take_words(char **args, const char *name, char ***numbers, double *timeout)
{
	char **kept = args;

	*numbers = args;
	for (; *args; args++) {
		if (timeout && !strncmp(*args, "--timeout", 9) &&
		    (!(*args)[9] || (*args)[9] == '=')) {
			const char *value = (*args)[9] ? *args + 10 : args[1] ? *++args : "";
			char *end;

			*timeout = strtod(value, &end);
			if (end == value || *end || !(*timeout >= 0 && *timeout <= 1e6)) {
				say("--timeout takes a number of seconds, not '%s'", value);
				return false;
			}
		} else if (**args == '-') {
			say("unknown option '%s'; `seekless %s --help` lists what there is", *args,
			    name);
			return false;
		} else if (!process_number(*args)) {
			return false;
		} else {
			*kept++ = *args;
		}
	}
	if (kept == *numbers)
		say("which process? `seekless %s PID...`", name);
	*kept = NULL;
	return kept != *numbers;
}

/* Duplicates of its descriptors: Linux 5.6 (pidfd_getfd(2)). */
static int open_pidfd(pid_t pid)
{
	int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);

	if (pidfd >= 0 && (syscall(SYS_pidfd_getfd, pidfd, -1, 0) >= 0 || errno == EBADF))
		return pidfd;
	if (errno == ENOSYS)
		say("this kernel is older than Linux 5.6: the library cannot be switched off from "
		    "outside");
	else if (errno == ESRCH)
		say("process %d has ended", (int)pid);
	else
		say("process %d cannot be switched off: %m", (int)pid);
	if (pidfd >= 0)
		close(pidfd);
	return -1;
}

static int off_one(pid_t pid, double timeout)
{
	struct process p;
	int status = attach_or_say(pid, &p), pidfd;

	if (status)
		return status;
	pidfd = open_pidfd(pid);
	status = pidfd < 0 ? EXIT_CANNOT : switch_off(&p, pidfd, timeout);
	if (pidfd >= 0)
		close(pidfd);
	process_detach(&p);
	return status;
}

static int on_one(pid_t pid)
{
	static const uint32_t on = 0;
	struct process p;
	int status = attach_or_say(pid, &p);

	if (status)
		return status;
	if (process_write(&p, p.root.off, &on, sizeof(on))) {
		printf("process %d (%s) is on\n", (int)pid, p.program);
		status = finish_output();
	} else {
		say("process %d cannot be switched on: %m", (int)pid);
		status = EXIT_CANNOT;
	}
	process_detach(&p);
	return status;
}

/* Each in its turn; the worst status counts. */
int command_off(char **args)
{
	double timeout = 10;
	char **numbers;
	int status = EXIT_SUCCESS;

	if (asks_for_help(args)) {
		puts(help_off);
		return finish_output();
	}
	if (!take_words(args, "off", &numbers, &timeout))
		return EXIT_USAGE;
	for (; *numbers; numbers++) {
		int one = off_one(process_number(*numbers), timeout);

		status = one > status ? one : status;
	}
	return status;
}

int command_on(char **args)
{
	char **numbers;
	int status = EXIT_SUCCESS;

	if (asks_for_help(args)) {
		puts(help_on);
		return finish_output();
	}
	if (!take_words(args, "on", &numbers, NULL))
		return EXIT_USAGE;
	for (; *numbers; numbers++) {
		int one = on_one(process_number(*numbers));

		status = one > status ? one : status;
	}
	return status;
}
