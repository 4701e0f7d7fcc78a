/* SPDX-License-Identifier: MIT */
/* at-hooks.h - A stops at the hooks of the test build, one after the other. */
#ifndef HOLD_AT_HOOKS_H
#define HOLD_AT_HOOKS_H

#include "hold/hold.h"
#include <dlfcn.h>

typedef void hook(const char *point, int fd);

static __thread int is_a;
static int armed;
static unsigned hits, stop_at;

static void at_hook(const char *point, int fd)
{
	int saved = errno;

	(void)fd;
	if (!is_a || !armed || !strcmp(point, "late") || hits++ != stop_at)
		return;
	armed = 0; /* B acts in hooks of its own: in a handler it is A's thread */
	snprintf(stopped_at, sizeof stopped_at, "%s", point);
	if (by_handler)
		raise(SIGUSR2);
	else
		let_b_act(10000);
	errno = saved;
}

static int hooks_are_there(void)
{
	hook **place = (hook **)dlsym(RTLD_DEFAULT, "seekless_hook");
	const char *preload = getenv("LD_PRELOAD");

	if (!place && preload && strstr(preload, "seekless-test"))
		fail("the test build has no seekless_hook");
	if (place)
		*place = at_hook;
	is_a = 1;
	return place != NULL;
}

static int run_to_hook(unsigned n)
{
	pthread_t b = stop_begin();
	int missed;

	hits = 0;
	stop_at = n;
	armed = 1;
	scene->a->steps[0](&world, world.text[0]);
	missed = armed;
	armed = 0;
	MUST(n < 50);
	return stop_end(b, missed);
}

static int wants_all(const struct scene *s)
{
	(void)s;
	return 1;
}

static int just_wait(pid_t pid)
{
	int status;

	MUST(waitpid(pid, &status, 0) == pid);
	return status;
}

static const struct way at_hooks = {hooks_are_there, wants_all, run_to_hook, just_wait, 0};

#endif
