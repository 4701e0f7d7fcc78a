/* SPDX-License-Identifier: MIT */
/*
 * counters.h - a program asks the shim that it runs under what it did: SIGUSR1, then the report
 * in the file SEEKLESS_REPORT.  Without the shim nothing is sent and every counter is 0.
 */
#ifndef RACE_COUNTERS_H
#define RACE_COUNTERS_H

static char *report_text; /* our last block of the report, or NULL */

/* Both are needed: SIGUSR1 would end a program that only has the variable. */
MAYBE int shim_is_on(void)
{
	const char *on = getenv("SEEKLESS"), *preload = getenv("LD_PRELOAD");

	return on && (!strcmp(on, "on") || !strcmp(on, "1")) && preload &&
	       strstr(preload, "seekless");
}

/* The shim reads its variables at start, so a program that lacks the report's starts itself
 * again. */
MAYBE void counters_ready(char **argv)
{
	char path[300];

	if (!shim_is_on() || getenv("SEEKLESS_REPORT"))
		return;
	snprintf(path, sizeof path, "%s/race-%d.report", disk_dir(), getpid());
	setenv("SEEKLESS_REPORT", path, 1);
	setenv("RACE_REPORT_IS_OURS", path, 1);
	execv("/proc/self/exe", argv);
	fail("cannot start myself again");
}

MAYBE char *report_load(const char *path)
{
	FILE *f = fopen(path, "r");
	static char text[1 << 20];
	size_t n;

	if (!f)
		return NULL;
	fseek(f, 0, SEEK_END);
	if (ftell(f) >= (long)sizeof text)
		fseek(f, -(long)sizeof text + 1, SEEK_END);
	else
		rewind(f);
	n = fread(text, 1, sizeof text - 1, f);
	text[n] = 0;
	fclose(f);
	return text;
}

/* Make the shim report, and keep our last block of what it wrote. */
MAYBE void counters_take(void)
{
	const char *pattern = getenv("SEEKLESS_REPORT"), *percent;
	char path[400], mark[64];
	char *text, *at;

	if (!shim_is_on() || !pattern)
		return;
	percent = strstr(pattern, "%p");
	if (percent)
		snprintf(path, sizeof path, "%.*s%d%s", (int)(percent - pattern), pattern,
			 getpid(), percent + 2);
	else
		snprintf(path, sizeof path, "%s", pattern);
	raise(SIGUSR1);
	text = report_load(path);
	if (!text)
		fail("no report in %s", path);
	snprintf(mark, sizeof mark, " pid %d program ", getpid());
	for (at = text; (at = strstr(at, mark)); at++)
		report_text = at;
	if (!report_text)
		fail("no report of pid %d in %s", getpid(), path);
	if (getenv("RACE_REPORT_IS_OURS"))
		unlink(path);
}

MAYBE unsigned long counter(const char *key)
{
	char end[80];
	const char *at, *line;

	snprintf(end, sizeof end, "(%s)\n", key);
	at = report_text ? strstr(report_text, end) : NULL;
	if (!at)
		return 0;
	for (line = at; line > report_text && line[-1] != '\n'; line--)
		;
	return strtoul(line, NULL, 10);
}

/* The test is worth nothing if the shim did less than this. */
MAYBE void counter_at_least(const char *key, unsigned long least)
{
	unsigned long is = counter(key);

	if (shim_is_on() && is < least)
		fail("nothing was tested: %s is %lu, must be %lu or more\n%s", key, is, least,
		     report_text ? report_text : "");
}

/* Of `calls` reads and writes, at least half must have been answered by the shim. */
MAYBE void counter_half_served(unsigned long calls)
{
	unsigned long served = counter("read.positioned") + counter("write.positioned");

	if (shim_is_on() && served < calls / 2)
		fail("nothing was tested: %lu of %lu calls served\n%s", served, calls,
		     report_text ? report_text : "");
}

#endif
