// SPDX-License-Identifier: MIT
/*
 * Helpers for test programs.  A test is a program: exit 0 passes, 77 skips (the last line of
 * its standard output says why), anything else fails.  It must pass without the library first,
 * so the kernel is the judge of what it expects.  Temporary files lie in $TMPDIR, which the
 * runner makes for each run and removes afterwards.
 */
#ifndef SEEKLESS_TEST_H
#define SEEKLESS_TEST_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEST_SKIPPED 77
#define TEST_UNUSED __attribute__((unused))

/* Ends the process at once, from any thread, handler or child, and leaves its files to look at.
 */
#define CHECK(cond)                                                                            \
	do {                                                                                   \
		if (!(cond))                                                                   \
			test_fail(__FILE__, __LINE__, #cond);                                  \
	} while (0)

#define CHECK_EQ(got, want)                                                                    \
	do {                                                                                   \
		long long test_got = (got), test_want = (want);                                \
		if (test_got != test_want)                                                     \
			test_differ(__FILE__, __LINE__, #got " == " #want, test_got,           \
				    test_want);                                                \
	} while (0)

#define SKIP(reason)                                                                           \
	do {                                                                                   \
		printf("%s\n", reason);                                                        \
		exit(TEST_SKIPPED);                                                            \
	} while (0)

TEST_UNUSED static _Noreturn void test_fail(const char *file, int line, const char *cond)
{
	int error = errno;

	fprintf(stderr, "%s:%d: not true: %s (errno %d, %s)\n", file, line, cond, error,
		strerror(error));
	_exit(1);
}

TEST_UNUSED static _Noreturn void test_differ(const char *file, int line, const char *cond,
					      long long got, long long want)
{
	int error = errno;

	fprintf(stderr, "%s:%d: not true: %s: %lld, not %lld (errno %d, %s)\n", file, line,
		cond, got, want, error, strerror(error));
	_exit(1);
}

/* The folder for this test's files, without a slash at its end. */
TEST_UNUSED static const char *tmp_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

/* What tmp_file() puts at an offset: neighbours differ, and so do blocks of any power of two.
 */
TEST_UNUSED static unsigned char tmp_byte(off_t offset)
{
	return (unsigned char)(offset % 251);
}

/* A new file of SIZE bytes tmp_byte(0), tmp_byte(1), ... in DIR (NULL: tmp_dir()).  The path
 * lives until the program ends.  Written through stdio, so the library has no part in it. */
TEST_UNUSED static char *tmp_file(const char *dir, off_t size)
{
	static int count;
	char *path = NULL;
	FILE *out;

	CHECK(asprintf(&path, "%s/test-%d-%d", dir ? dir : tmp_dir(), (int)getpid(),
		       __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED)) > 0);
	CHECK((out = fopen(path, "wxe")));
	for (off_t i = 0; i < size; i++)
		putc_unlocked(tmp_byte(i), out);
	CHECK(fclose(out) == 0);
	return path;
}

/* Such a file, opened with FLAGS (O_RDONLY, O_RDWR, ...) and already without a name. */
TEST_UNUSED static int tmp_open(off_t size, int flags)
{
	char *path = tmp_file(NULL, size);
	int fd = open(path, flags);

	CHECK(fd >= 0);
	CHECK(unlink(path) == 0);
	free(path);
	return fd;
}

/* Is the library there and at work?  Only for questions about counters: what a test expects of
 * a system call never depends on it. */
TEST_UNUSED static bool shim_is_on(void)
{
	const char *on = getenv("SEEKLESS"), *preload = getenv("LD_PRELOAD");

	return on && (!strcmp(on, "on") || !strcmp(on, "1")) && preload &&
	       strstr(preload, "libseekless");
}

TEST_UNUSED static FILE *test_open_report(void)
{
	const char *form = getenv("SEEKLESS_REPORT"), *pid;
	char path[4096];

	if (!form || !*form || !shim_is_on())
		return NULL;
	pid = strstr(form, "%p");
	if (pid)
		snprintf(path, sizeof(path), "%.*s%d%s", (int)(pid - form), form, (int)getpid(),
			 pid + 2);
	else
		snprintf(path, sizeof(path), "%s", form);
	return fopen(path, "re");
}

/* Does this line of a report count for KEY?  A KEY that ends in a dot takes all that begin so.
 */
TEST_UNUSED static bool test_line_has_key(const char *line, const char *key)
{
	const char *open_mark = strrchr(line, '('),
		   *end = open_mark ? strchr(open_mark, ')') : NULL;
	size_t length = strlen(key);

	if (!end || strncmp(open_mark + 1, key, length))
		return false;
	return key[length - 1] == '.' || open_mark + 1 + length == end;
}

/*
 * The library's count for KEY in this process until now: it is asked by raise(SIGUSR1), and its
 * answer is read from $SEEKLESS_REPORT.  "gone." sums all keys that begin so.  -1 where there
 * is no library or it writes no report, so that `counter(key) != 0` is no proof by itself.
 */
TEST_UNUSED static long long counter(const char *key)
{
	long long sum = -1;
	bool ours = false;
	int pid;
	char *line = NULL;
	size_t room = 0;
	FILE *report;

	if (!shim_is_on() || raise(SIGUSR1) || !(report = test_open_report()))
		return -1;
	while (getline(&line, &room, report) > 0) {
		/* Reports are appended, and a child may share the file: the last of ours
		 * counts. */
		if (sscanf(line, "seekless %*s pid %d", &pid) == 1) {
			ours = pid == (int)getpid();
			sum = ours ? 0 : sum;
		} else if (ours && test_line_has_key(line, key)) {
			sum += strtoll(line, NULL, 10);
		}
	}
	free(line);
	fclose(report);
	return sum;
}

#endif
