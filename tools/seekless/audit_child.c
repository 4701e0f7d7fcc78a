// SPDX-License-Identifier: MIT
/* An audited program: started, waited for, and sent on to what is sent to the command. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "audit.h"
#include "seekless.h"

/* What a user sends to a command, and means its program. */
static const int passed_on[] = {SIGINT,	 SIGQUIT, SIGTERM, SIGHUP,
				SIGUSR1, SIGUSR2, SIGCONT, SIGWINCH};

static sigset_t waited_for(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (size_t i = 0; i < sizeof(passed_on) / sizeof(*passed_on); i++)
		sigaddset(&set, passed_on[i]);
	return set;
}

/* The terminal's own signals reach the program as well as us: they are not sent twice. */
static int wait_for(pid_t child, const sigset_t *set)
{
	siginfo_t info;
	int status;

	for (;;) {
		pid_t ended = waitpid(child, &status, WNOHANG);

		if (ended == child)
			return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
		if (ended < 0 && errno != EINTR)
			return EXIT_CANNOT;
		if (sigwaitinfo(set, &info) > 0 && info.si_signo != SIGCHLD && info.si_code <= 0)
			kill(child, info.si_signo);
	}
}

/* The child's errno, where exec failed; 0: it has become the program. */
static int exec_error(const int told[2])
{
	int error = 0;

	close(told[1]);
	if (read(told[0], &error, sizeof(error)) != sizeof(error))
		error = 0;
	close(told[0]);
	return error;
}

static void become(char **args, const int told[2])
{
	int error;

	execvp(*args, args);
	error = errno;
	if (write(told[1], &error, sizeof(error)) < 0)
		_exit(EXIT_CANNOT_RUN);
	_exit(EXIT_NOT_FOUND);
}

int child_run(char **args, int *cannot_run)
{
	struct sigaction as_default = {.sa_handler = SIG_DFL}, chld;
	sigset_t set = waited_for(), mask;
	int told[2], status;
	pid_t child;

	*cannot_run = 0;
	if (pipe2(told, O_CLOEXEC)) {
		say("cannot start %s: %m", *args);
		return -1;
	}
	sigaction(SIGCHLD, &as_default, &chld); /* one that is ignored leaves nobody to wait for */
	sigprocmask(SIG_BLOCK, &set, &mask);
	fflush(NULL);
	child = fork();
	if (child == 0) {
		sigaction(SIGCHLD, &chld, NULL);
		sigprocmask(SIG_SETMASK, &mask, NULL);
		become(args, told);
	}
	if (child < 0) {
		say("cannot start %s: %m", *args);
		status = -1;
	} else {
		*cannot_run = exec_error(told);
		status = wait_for(child, &set);
	}
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return status;
}
