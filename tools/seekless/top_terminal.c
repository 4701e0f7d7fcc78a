// SPDX-License-Identifier: MIT
/* The terminal of `seekless top`. */
#ifdef HAVE_NCURSES

#include <ncurses.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <term.h>
#include <unistd.h>

#include "seekless.h"
#include "top_terminal.h"

static const int endings[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { ENDINGS = sizeof(endings) / sizeof(*endings) };
static volatile sig_atomic_t ended_by;
static sigset_t usual_mask;
static SCREEN *screen;

static void end(int signal)
{
	ended_by = signal;
}

/* They come while we wait, and at no other time. */
static void take_signals(void)
{
	struct sigaction action = {.sa_handler = end};
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGWINCH);
	for (int i = 0; i < ENDINGS; i++) {
		struct sigaction old;

		/* nohup(1) means it */
		if (sigaction(endings[i], NULL, &old) || old.sa_handler == SIG_IGN)
			continue;
		sigaddset(&mask, endings[i]);
		sigaction(endings[i], &action, NULL);
	}
	sigprocmask(SIG_BLOCK, &mask, &usual_mask);
}

/* ncurses would end the process by itself where it does not know the terminal. */
static bool is_known(const char *name)
{
	int error = 0;
	bool known = false;

	if (!name || !*name) {
		say("TERM does not say which terminal this is; `seekless top --once` needs none");
		return false;
	}
	if (setupterm(name, STDOUT_FILENO, &error) == OK) {
		const char *move = tigetstr("cup");

		known = move && move != (char *)-1;
		del_curterm(cur_term);
	}
	if (known)
		return true;
	say("TERM=%.40s is no terminal that is known here and can be drawn on; `seekless top "
	    "--once` needs none",
	    name);
	return false;
}

bool terminal_begin(void)
{
	const char *name = getenv("TERM");

	if (!is_known(name))
		return false;
	take_signals();
	screen = newterm(name, stdout, stdin);
	if (!screen) {
		say("cannot draw on this terminal, TERM=%.40s", name);
		return false;
	}
	set_term(screen);
	set_escdelay(50);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, true);
	nodelay(stdscr, true);
	curs_set(0);
	return true;
}

bool terminal_wait(double seconds)
{
	struct pollfd keys = {STDIN_FILENO, POLLIN, 0};
	struct timespec time = {0, 0};
	sigset_t pending;

	if (seconds > 0) {
		time.tv_sec = (time_t)seconds;
		time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
	}
	if (ppoll(&keys, 1, &time, &usual_mask) > 0 &&
	    keys.revents & (POLLHUP | POLLERR | POLLNVAL))
		return false; /* the terminal has gone away */
	/* With a key there, signals may not have got their turn. */
	sigpending(&pending);
	for (int i = 0; i < ENDINGS; i++)
		if (sigismember(&pending, endings[i]))
			ended_by = endings[i];
	return !ended_by;
}

void terminal_end(void)
{
	endwin();
	delscreen(screen);
	if (ended_by) {
		signal(ended_by, SIG_DFL);
		sigprocmask(SIG_SETMASK, &usual_mask, NULL);
		raise(ended_by);
	}
}

#endif
