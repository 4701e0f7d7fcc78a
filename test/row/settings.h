/* SPDX-License-Identifier: MIT */
/*
 * settings.h - main(), and how a row is run in each of its settings (row.h lists them).  The last part of
 * row.h.
 */
#ifndef SEEKLESS_TEST_SETTINGS_H
#define SEEKLESS_TEST_SETTINGS_H

static inline void *row_body(void *unused)
{
	const char *base = getenv("ROW_DIR");

	if (!base)
		base = getenv("TMPDIR");
	snprintf(row_folder, sizeof row_folder - 1, "%s/row.XXXXXX", base ? base : "/tmp");
	row_owner = getpid();
	CHECK(mkdtemp(row_folder) && !chdir(row_folder));
	row();
#if !defined(ROW_TAKES_NONE) && !defined(ROW_COUNTS_LOST)
	if (!row_is_early && counter("take") == 0)
		row_fail(__FILE__, __LINE__, "nothing was tested: the shim took no offset");
#endif
	row_tidy();
	return unused;
}

static inline int row_start(const char *setting)
{
	const char *self = getenv("ROW_SELF");
	pthread_t t;
	pid_t pid;
	int st = 0;

	alarm(120);
	if (self)
		snprintf(row_program, sizeof row_program, "%s", self);
	else
		CHECK(readlink("/proc/self/exe", row_program, sizeof row_program - 1) > 0);
	row_by_syscall = !strcmp(setting, "syscall");
	if (!strcmp(setting, "thread")) {
		CHECK(!pthread_create(&t, NULL, row_body, NULL) && !pthread_join(t, NULL));
	} else if (!strcmp(setting, "child")) {
		pid = (fork)();
		if (pid == 0) {
			row_body(NULL);
			exit(0);
		}
		CHECK(waitpid(pid, &st, 0) == pid);
		return WIFEXITED(st) ? WEXITSTATUS(st) : 1;
	} else {
		row_body(NULL);
	}
	return 0;
}

static inline int row_is(char **env, const char *setting)
{
	for (; env && *env; env++)
		if (!strncmp(*env, "ROW_SETTING=", 12))
			return !strcmp(*env + 12, setting);
	return 0;
}

__attribute__((constructor)) static void row_constructor(int argc, char **argv, char **env)
{
	char *list = getenv("LD_PRELOAD"), *blank = list ? strrchr(list, ' ') : NULL;

	if (argc > 1 || !argv || !row_is(env, "constructor"))
		return;
	if (blank) /* what we start is not preloaded with this row */
		*blank = 0;
	unsetenv("ROW_SETTING");
#if defined(__PIC__) && !defined(__PIE__)
	row_is_early = 1;
#endif
	_exit(row_start("constructor"));
}

#if !defined(__PIC__) || defined(__PIE__)
static void row_preinit(int argc, char **argv, char **env)
{
	if (argc > 1 || !argv || !row_is(env, "preinit"))
		return;
	environ = env; /* libc sets it later */
	row_is_early = 1;
	unsetenv("ROW_SETTING");
	_exit(row_start("preinit"));
}
__attribute__((section(".preinit_array"),
	       used)) static void (*const row_preinit_entry)(int, char **,
							     char **) = row_preinit;

/* Every setting, in a process of its own; where the shim is loaded but off, the first says all.
 */
static int row_everywhere(void)
{
	int off = getenv("LD_PRELOAD") && strstr(getenv("LD_PRELOAD"), "libseekless") &&
		  !shim_is_on();
	static const char *const all[] = {"plain",   "thread",	"child",
					  "syscall", "preinit", "constructor"};
	int st, worst = 0;

	for (size_t i = 0; i < (off ? 1 : sizeof all / sizeof *all); i++) {
		pid_t pid = (fork)();

		if (pid == 0) {
			setenv("ROW_SETTING", all[i], 1);
			execl("/proc/self/exe", program_invocation_name, NULL);
			_exit(96);
		}
		CHECK(pid > 0 && waitpid(pid, &st, 0) == pid);
		st = WIFEXITED(st) ? WEXITSTATUS(st) : WTERMSIG(st);
		if (st && st != TEST_SKIPPED)
			fprintf(stderr, "%s: setting %s: failed (%d)\n",
				program_invocation_short_name, all[i], st);
		if (st && (worst == 0 || worst == TEST_SKIPPED))
			worst = st;
	}
	return worst;
}

/* A program of its own that seeks, reads and writes. */
static void row_work(const char *name, off_t at)
{
	char b[8];
	int fd = open(name, O_RDWR);
	struct iovec v = {b, 8};

	for (int i = 0; i < 3; i++) {
		hold(fd, at + 100 * i);
		fill(b, at + 100 * i + 4, 8);
		GIVES(write(fd, b, 8), 8);
		GIVES(writev(fd, &v, 0), 0);
		GIVES(readv(fd, &v, 1), 8);
		CHECK(has(b, at + 100 * i + 12, 8));
		GIVES(lseek(fd, -8, SEEK_CUR), at + 100 * i + 12);
		GIVES(writev(fd, &v, 1), 8);
		GIVES(lseek(fd, 0, SEEK_END), ROW_SIZE);
	}
	hold(fd, at);
	child_receives(fd, at + 4);
}

/* The far side of an exec: PROGRAM receive FD OFFSET checks what arrived; PROGRAM closed FD
 * that nothing did; PROGRAM work NAME OFFSET. */
int main(int argc, char **argv)
{
	const char *setting = getenv("ROW_SETTING");

	if (argc == 4 && !strcmp(argv[1], "receive")) {
		receive(atoi(argv[2]), atol(argv[3]));
		return 0;
	}
	if (argc == 4 && !strcmp(argv[1], "work")) {
		row_work(argv[2], atol(argv[3]));
		return 0;
	}
	if (argc == 3 && !strcmp(argv[1], "closed"))
		return kernel_offset(atoi(argv[2])) == -EBADF ? 0 : 1;
	if (argc > 1)
		return 98;
	return setting && *setting ? row_start(setting) : row_everywhere();
}
#endif

#endif
