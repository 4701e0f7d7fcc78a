/* SPDX-License-Identifier: MIT */
/*
 * nth transfers|own [NAME...]: runs the scenario bare and preloaded with a fault at the n-th call, n growing
 * until the run does not reach it.  Names: only these faults, only these calls.
 *
 *   transfers   the n-th transfer on the file fails or comes short, whoever makes it: bare and preloaded
 *               print the same, make as many, and leave the same file
 *   own         the n-th call that only the library makes fails: it is as if nobody had made it.  A
 *               positioned call that the kernel refuses (EPERM, ENOSYS, EACCES, ESPIPE) becomes the program's
 *               own one.  An lseek of the library fails: no crash, no hang
 *
 * FAULT_STEP=N: only every N-th place, from a random one on, and of the own calls' errors half.  FAULT_LIBRARY: another than build/libseekless.so.
 */
#include "test.h"
#if defined(__x86_64__)
#include "fault/nth.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <time.h>

static char file[PATH_MAX], scenario[PATH_MAX], report[PATH_MAX];
static char *env_bare[1024], *env_with[1024];
static int faults, differences;
static long by_library;
static long step = 1;

static long first_place(long count)
{
	return 1 + (step > 1 ? rand() % (count < step ? count : step) : 0);
}

/* ---- what a run gave ---- */

struct run {
	struct outcome o;
	char *text; /* the file afterwards */
	size_t length;
};

static void make_file(void)
{
	char *b = malloc(65536);
	int fd = open(file, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	CHECK(b && fd >= 0);
	unlink(report);
	for (int i = 0; i < 65536; i++)
		b[i] = (char)tmp_byte(i);
	CHECK(write(fd, b, 65536) == 65536 && fstat(fd, &nth_file) == 0);
	CHECK(close(fd) == 0);
	free(b);
}

static void run(struct run *r, bool bare, void (*prepare)(void), const struct plan *p)
{
	char *const argv[] = {scenario, file, NULL};
	struct stat st;
	int fd;

	make_file();
	trace(argv, bare ? env_bare : env_with, prepare, p, &r->o);
	fd = open(file, O_RDONLY | O_CLOEXEC);
	CHECK(fd >= 0 && fstat(fd, &st) == 0);
	r->length = (size_t)st.st_size;
	CHECK((r->text = malloc(r->length + 1)));
	CHECK(read(fd, r->text, r->length) == st.st_size);
	close(fd);
}

static void forget(struct run *r)
{
	free(r->o.said);
	free(r->text);
}

static void show_difference(const char *a, const char *b)
{
	const char *a_line = a, *b_line = b;

	while (*a && *a == *b) {
		if (*a == '\n') {
			a_line = a + 1;
			b_line = b + 1;
		}
		a++;
		b++;
	}
	if (*a == *b)
		return;
	printf("    bare: %.*s\n", (int)strcspn(a_line, "\n"), a_line);
	printf("    with: %.*s\n", (int)strcspn(b_line, "\n"), b_line);
}

/* What is wrong with the second, or NULL. */
static const char *is_different(const struct run *a, const struct run *b)
{
	if (b->o.hung)
		return "it hung";
	if (a->o.status != b->o.status)
		return "it ended in another way";
	if (a->o.length != b->o.length || memcmp(a->o.said, b->o.said, a->o.length))
		return "it printed something else";
	if (a->length != b->length || memcmp(a->text, b->text, a->length))
		return "it left another file";
	return NULL;
}

static void complain(const char *what, const struct plan *p, const char *why, const struct run *a,
		     const struct run *b)
{
	printf("%s, %s %ld%s: %s (%#x, bare %#x)\n", what,
	       p->fault == COMES_SHORT	   ? "short"
	       : p->fault == GIVES_NOTHING ? "nothing"
					   : strerrorname_np(p->fault),
	       p->nth, p->and_after ? " and after" : "", why, b->o.status, a->o.status);
	show_difference(a->o.said, b->o.said);
	if (++differences >= 20) {
		printf("and so on\n");
		exit(1);
	}
}

/* ---- transfers ---- */

static bool is_meant(const struct call *c)
{
	bool yes = is_transfer(c);

	by_library += yes && (c->nr == SYS_pread64 || c->nr == SYS_pwrite64) && is_by_library(c);
	return yes;
}

static const struct {
	int fault;
	bool and_after;
} meets[] = {
	{EIO, false},	 {EINTR, false},       {ENOSPC, false},	       {EDQUOT, false},
	{EAGAIN, false}, {COMES_SHORT, false}, {GIVES_NOTHING, false}, {EIO, true},
	{ENOSPC, true},	 {COMES_SHORT, true},  {EPERM, true},	       {ENOSYS, true},
	{ESPIPE, true},	 {EINVAL, true},       {EACCES, true},
};

static void transfers(void)
{
	for (size_t i = 0; i < sizeof(meets) / sizeof(*meets); i++) {
		struct plan p = {is_meant, first_place(step), meets[i].and_after, meets[i].fault};
		bool reached;

		for (reached = true; reached; p.nth += step) {
			struct run bare, with;
			const char *why;

			run(&bare, true, NULL, &p);
			CHECK(!bare.o.hung && WIFEXITED(bare.o.status));
			reached = bare.o.counted >= p.nth;
			run(&with, false, NULL, &p);
			why = is_different(&bare, &with);
			/* A refused call is made twice. */
			if (!why && with.o.counted != bare.o.counted &&
			    !(p.and_after && p.fault != EIO && p.fault != ENOSPC))
				why = "it made another number of transfers";
			if (why)
				complain("transfer", &p, why, &bare, &with);
			faults += reached;
			forget(&bare);
			forget(&with);
		}
	}
}

/* ---- the library's own calls ---- */

enum { CALLS = 512 };
static long wanted_nr;
static enum kind wanted_kind;
static long seen[CALLS][SEEKS + 1];

static bool is_wanted(const struct call *c)
{
	return c->nr == wanted_nr && is_by_library(c) && kind_of(c) == wanted_kind;
}

static bool is_noted(const struct call *c)
{
	if (c->nr >= 0 && c->nr < CALLS && is_by_library(c))
		seen[c->nr][kind_of(c)]++;
	return false;
}

static const int own_errors[] = {EPERM, ENOSYS, EINTR, EIO, ENOMEM, EAGAIN, 0};
static const int refusals[] = {EPERM, ENOSYS, EACCES, ESPIPE, 0};

static void own_call(const struct run *want, void (*prepare)(void))
{
	const int *error = wanted_kind == POSITIONED ? refusals : own_errors;
	char what[64];

	snprintf(what, sizeof(what), "%scall %ld%s", prepare ? "filtered, " : "", wanted_nr,
		 wanted_kind == SEEKS ? " (lseek)" : "");
	for (; *error; error++) {
		long count = seen[wanted_nr][wanted_kind];
		struct plan p = {is_wanted, first_place(count), false, *error};
		bool reached;

		if (step > 1 && count > 4 && rand() % 2)
			continue;
		for (reached = true; reached && (step == 1 || p.nth <= count); p.nth += step) {
			struct run with;
			const char *why;

			run(&with, false, prepare, &p);
			reached = with.o.counted >= p.nth;
			why = is_different(want, &with);
			if (wanted_kind == SEEKS && !with.o.hung && with.o.status == want->o.status)
				why = NULL;
			if (why)
				complain(what, &p, why, want, &with);
			faults += reached;
			forget(&with);
		}
	}
}

static void all_are_allowed(void)
{
	struct sock_filter f[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog program = {1, f};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(96);
}

static void own(void (*prepare)(void), char **names)
{
	struct plan none = {is_noted, 0, false, 0};
	struct run want, with;
	int kinds = 0;

	memset(seen, 0, sizeof(seen));
	run(&want, true, NULL, &none);
	run(&with, false, prepare, &none);
	if (is_different(&want, &with))
		complain("no fault", &none, is_different(&want, &with), &want, &with);
	for (wanted_nr = 0; wanted_nr < CALLS; wanted_nr++)
		for (wanted_kind = OWN; wanted_kind <= SEEKS; wanted_kind++) {
			bool meant = !*names;

			for (char **name = names; *name; name++)
				meant |= atol(*name) == wanted_nr;
			if (!meant || !seen[wanted_nr][wanted_kind])
				continue;
			kinds++;
			own_call(&want, prepare);
		}
	printf("%d kinds of calls%s\n", kinds, prepare ? " under a filter that allows all" : "");
	CHECK(*names || kinds >= 10);
	forget(&want);
	forget(&with);
}

/* ---- */

static void environments(const char *dir)
{
	const char *library = getenv("FAULT_LIBRARY");
	int n = 0;
	char *s;

	for (char **e = environ; *e && n < 1000; e++)
		if (strncmp(*e, "SEEKLESS", 8) && strncmp(*e, "LD_PRELOAD=", 11)) {
			env_bare[n] = *e;
			env_with[n++] = *e;
		}
	CHECK(asprintf(&s, "LD_PRELOAD=%s", library ?: "") > 0);
	env_with[n++] = s;
	env_with[n++] = "SEEKLESS=on";
	snprintf(report, sizeof(report), "%s/report", dir);
	CHECK(asprintf(&s, "SEEKLESS_REPORT=%s", report) > 0);
	env_with[n++] = s;
}

static bool may_trace(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(ptrace(PTRACE_TRACEME, 0, 0, 0) ? 1 : 0);
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

int main(int argc, char **argv)
{
	unsigned seed = (unsigned)time(NULL);
	char *slash;
	ssize_t n = readlink("/proc/self/exe", scenario, sizeof(scenario) - 20);

	CHECK(argc >= 2 && n > 0);
	scenario[n] = 0;
	slash = strrchr(scenario, '/');
	strcpy(slash + 1, "scenario");
	snprintf(file, sizeof(file), "%s/file", tmp_dir());
	environments(tmp_dir());
	if (!may_trace())
		SKIP("ptrace is not allowed here");
	if (getenv("FAULT_STEP"))
		step = atol(getenv("FAULT_STEP"));
	if (getenv("FAULT_SEED"))
		seed = (unsigned)atol(getenv("FAULT_SEED"));
	srand(seed);
	if (step > 1)
		printf("FAULT_SEED=%u\n", seed);
	if (!strcmp(argv[1], "transfers")) {
		transfers();
		CHECK(by_library > 0);
	} else {
		own(NULL, argv + 2);
		own(all_are_allowed, argv + 2);
	}
	unlink(file);
	unlink(report);
	printf("%d faults, %d differences\n", faults, differences);
	return differences || !faults;
}

#else
int main(void)
{
	SKIP("only for x86-64");
}
#endif
