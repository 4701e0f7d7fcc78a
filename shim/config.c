/* SPDX-License-Identifier: MIT */
/* Floor 1: the environment, parsed so that no value can do harm: what is unusable means off. */
#include "config.h"
#include "sandbox.h"
#include "text.h"
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

struct config config;

static const char *get(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

static void complain(const char *name, const char *value, const char *takes)
{
	static struct text t;

	text_begin(&t, -1);
	text_str(&t, "seekless: ");
	text_str(&t, name);
	text_str(&t, "=");
	text_str(&t, value);
	text_str(&t, " is not usable, it takes ");
	text_str(&t, takes);
	text_str(&t, "; seekless stays off\n");
	text_flush(&t, 2);
	config.on = false;
}

static bool is_one_of(const char *value, const char *const *words, int *which)
{
	for (int i = 0; words[i]; i++) {
		if (strcmp(value, words[i]))
			continue;
		*which = i;
		return true;
	}
	return false;
}

/* The last part of a path. */
static const char *base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Is the program one of "name,name,..."? */
static bool is_listed(const char *list, const char *name)
{
	size_t n = strlen(name);

	while (n && list) {
		if (!strncmp(list, name, n) && (list[n] == ',' || !list[n]))
			return true;
		list = strchr(list, ',');
		list += list != NULL;
	}
	return false;
}

static bool is_chosen(const char *only)
{
	const char *started_by = (const char *)getauxval(AT_EXECFN);
	static char exe[PATH_MAX];
	long n = RAW4(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", exe, sizeof(exe) - 1);

	exe[n > 0 ? n : 0] = 0;
	return (started_by && is_listed(only, base(started_by))) || is_listed(only, base(exe));
}

/* A signal by its name, with or without SIG, or RTMIN+n; 0 for none, -1 for nonsense. */
static int signal_by_name(const char *name)
{
	static const struct {
		const char *name;
		int number;
	} known[] = {
		{"HUP", SIGHUP},   {"INT", SIGINT},	{"QUIT", SIGQUIT},     {"USR1", SIGUSR1},
		{"USR2", SIGUSR2}, {"ALRM", SIGALRM},	{"TERM", SIGTERM},     {"URG", SIGURG},
		{"XCPU", SIGXCPU}, {"VTALRM", SIGVTALRM}, {"PROF", SIGPROF},   {"WINCH", SIGWINCH},
		{"IO", SIGIO},	   {"PWR", SIGPWR},	{"STKFLT", SIGSTKFLT},
	};
	char *end;
	long n;

	if (!strcmp(name, "none"))
		return 0;
	if (!strncmp(name, "SIG", 3))
		name += 3;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(name, known[i].name))
			return known[i].number;
	if (strncmp(name, "RTMIN+", 6) || name[6] < '0' || name[6] > '9')
		return -1;
	n = strtol(name + 6, &end, 10);
	return *end || n > SIGRTMAX - SIGRTMIN ? -1 : SIGRTMIN + (int)n;
}

/* Absolute, because the program may change its folder before the report is asked for. */
static void read_report(const char *path)
{
	size_t at = 0;

	if (*path != '/') {
		long n = RAW2(SYS_getcwd, config.report, sizeof(config.report) - 1);

		at = n > 0 ? (size_t)n - 1 : 0;
		config.report[at++] = '/';
	}
	if (at + strlen(path) >= sizeof(config.report)) {
		config.report[0] = 0;
		complain("SEEKLESS_REPORT", path, "a path of fewer than 4096 bytes");
		return;
	}
	strcpy(config.report + at, path);
}

static void read_audit_every(const char *value)
{
	char *end;
	long n = strtol(value, &end, 10);

	if (*end || *value < '0' || *value > '9' || n < 1 || n > 1000000000)
		complain("SEEKLESS_AUDIT_EVERY", value, "a number of calls from 1 to 1000000000");
	else
		config.audit_every = (unsigned)n;
}

void config_read(void)
{
	static const char *const on[] = {"off", "0", "on", "1", "audit", NULL};
	static const char *const size[] = {"fstat", "lseek", "auto", NULL};
	const char *value = get("SEEKLESS");
	int which = 0;

	config.signal = SIGUSR1;
	if (!value)
		return;
	if (!is_one_of(value, on, &which)) {
		complain("SEEKLESS", value, "on, 1, off, 0 or audit");
		return;
	}
	config.on = which >= 2;
	config.audit = which == 4;
	if (!config.on)
		return;
	config.filtered = sandbox_is_there();
	config.refused = config.filtered && !sandbox_allows_us();
	if (config.refused) {
		config.on = false;
		return;
	}
	value = get("SEEKLESS_ONLY");
	if (value && !is_chosen(value)) {
		config.on = false;
		return;
	}
	value = get("SEEKLESS_SIZE");
	if (value && !is_one_of(value, size, &which))
		complain("SEEKLESS_SIZE", value, "fstat, lseek or auto");
	else if (value)
		config.size = (enum size_probe)which;
	value = get("SEEKLESS_SIGNAL");
	if (value) {
		config.signal = signal_by_name(value);
		config.signal_named = config.signal > 0;
		if (config.signal < 0)
			complain("SEEKLESS_SIGNAL", value, "the name of a signal, or none");
	}
	value = get("SEEKLESS_DEEPBIND");
	if (value && strcmp(value, "drop"))
		complain("SEEKLESS_DEEPBIND", value, "drop, or nothing");
	config.drop_deepbind = value;
	config.audit_every = 100;
	value = get("SEEKLESS_AUDIT_EVERY");
	if (value)
		read_audit_every(value);
	value = get("SEEKLESS_REPORT");
	if (value)
		read_report(value);
#ifdef SEEKLESS_TEST
	config.keep = get("SEEKLESS_TEST_KEEP") != NULL;
#endif
}
