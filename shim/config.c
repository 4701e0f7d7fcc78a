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
		{"HUP", SIGHUP},       {"INT", SIGINT},	  {"QUIT", SIGQUIT},
		{"USR1", SIGUSR1},     {"USR2", SIGUSR2}, {"ALRM", SIGALRM},
		{"TERM", SIGTERM},     {"URG", SIGURG},	  {"XCPU", SIGXCPU},
		{"VTALRM", SIGVTALRM}, {"PROF", SIGPROF}, {"WINCH", SIGWINCH},
		{"IO", SIGIO},	       {"PWR", SIGPWR},	  {"STKFLT", SIGSTKFLT},
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

/*
 * A folder that is missing now will be missing when the report is asked for, and then nobody is told.
 * To ask for a link's target opens nothing.  A folder that the process number names may come yet.
 */
static bool has_folder(const char *path)
{
	static char folder[PATH_MAX + 2];
	size_t n = (size_t)(strrchr(path, '/') - path) + 1;
	char c;
	long r;

	memcpy(folder, path, n);
	folder[n] = 0;
	if (strstr(folder, "%p"))
		return true;
	strcpy(folder + n, ".");
	r = RAW4(SYS_readlinkat, AT_FDCWD, folder, &c, 1);
	return r != -ENOENT && r != -ENOTDIR;
}

/* Absolute, because the program may change its folder before it is needed.  False after a line. */
static bool make_absolute(const char *name, const char *path, char full[PATH_MAX])
{
	size_t at = 0;

	if (*path != '/') {
		long n = RAW2(SYS_getcwd, full, PATH_MAX - 1);

		if (n <= 0 || *full != '/') {
			full[0] = 0;
			complain(name, path, "a path from / on, as this folder has none");
			return false;
		}
		at = (size_t)n - 1;
		full[at++] = '/';
	}
	if (at + strlen(path) >= PATH_MAX) {
		full[0] = 0;
		complain(name, path, "a path of fewer than 4096 bytes");
		return false;
	}
	strcpy(full + at, path);
	return true;
}

static void read_report(const char *path)
{
	if (make_absolute("SEEKLESS_REPORT", path, config.report) && !has_folder(config.report))
		complain("SEEKLESS_REPORT", path, "a file in a folder that is there");
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

static void read_size(const char *value)
{
	static const char *const names[] = {"fstat", "lseek", "auto", NULL};
	int which;

	if (is_one_of(value, names, &which))
		config.size = (enum size_probe)which;
	else
		complain("SEEKLESS_SIZE", value, "fstat, lseek or auto");
}

static void read_signal(const char *value)
{
	config.signal = signal_by_name(value);
	config.signal_named = config.signal > 0;
	if (config.signal < 0)
		complain("SEEKLESS_SIGNAL", value, "the name of a signal, or none");
}

static void read_deepbind(const char *value)
{
	config.drop_deepbind = true;
	if (strcmp(value, "drop"))
		complain("SEEKLESS_DEEPBIND", value, "drop, or nothing");
}

static void read_ahead(const char *value)
{
	if (!config_ahead(value, &config.ahead))
		complain("SEEKLESS_READAHEAD", value, "off, auto, or a size from 16K to 64M");
}

static void read_format(const char *value)
{
	static const char *const names[] = {"text", "json", NULL};
	int which = 0;

	if (!is_one_of(value, names, &which))
		complain("SEEKLESS_FORMAT", value, "text or json");
	config.json = which == 1;
}

static void read_at_exit(const char *value)
{
	config.at_exit = true;
	if (strcmp(value, "report"))
		complain("SEEKLESS_AT_EXIT", value, "report, or nothing");
}

static void read_stats(const char *value)
{
	size_t n;

	if (!strcmp(value, "off")) {
		config.hidden = true;
		return;
	}
	if (!make_absolute("SEEKLESS_STATS", value, config.stats))
		return;
	n = strlen(config.stats);
	if (n < PATH_MAX - 32) /* room for a file's name */
		strcpy(config.stats + n, "/x");
	if (n >= PATH_MAX - 32 || !has_folder(config.stats))
		complain("SEEKLESS_STATS", value, "off, or a folder that is there");
	config.stats[n] = 0;
}

static const struct {
	const char *name;
	void (*read)(const char *value);
} options[] = {
	{"SEEKLESS_SIZE", read_size},
	{"SEEKLESS_SIGNAL", read_signal},
	{"SEEKLESS_READAHEAD", read_ahead},
	{"SEEKLESS_DEEPBIND", read_deepbind},
	{"SEEKLESS_AUDIT_EVERY", read_audit_every},
	{"SEEKLESS_REPORT", read_report},
	{"SEEKLESS_STATS", read_stats},
	{"SEEKLESS_FORMAT", read_format},
	{"SEEKLESS_AT_EXIT", read_at_exit},
};

/* What SEEKLESS says. */
static bool is_wanted(void)
{
	static const char *const words[] = {"off", "0", "on", "1", "audit", NULL};
	const char *value = get("SEEKLESS");
	int which;

	if (!value)
		return false;
	if (!is_one_of(value, words, &which)) {
		complain("SEEKLESS", value, "on, 1, off, 0 or audit");
		return false;
	}
	config.audit = which == 4;
	return which >= 2;
}

void config_read(void)
{
	const char *only;

	config.signal = SIGUSR1;
	config.audit_every = 100;
	if (!is_wanted() || !ground_can_swap())
		return;
	config.filtered = sandbox_is_there();
	config.refused = config.filtered && !sandbox_allows_us();
	only = get("SEEKLESS_ONLY");
	config.on = !config.refused && (!only || is_chosen(only));
	if (!config.on)
		return;
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (get(options[i].name))
			options[i].read(get(options[i].name));
#ifdef SEEKLESS_TEST
	config.keep = get("SEEKLESS_TEST_KEEP") != NULL;
	if (get("SEEKLESS_TEST_WRONG"))
		config.wrong = strtoul(get("SEEKLESS_TEST_WRONG"), NULL, 10);
#endif
}
