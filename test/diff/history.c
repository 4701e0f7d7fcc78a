/* SPDX-License-Identifier: MIT */
// flags: -lutil -lrt
/*
 * Histories of the calls that the library touches, in the current folder: each is told with its
 * result, errno, and what came out of it.  Nothing that is told depends on the machine's state, so
 * two runs, bare and preloaded, must tell the same: test/diff/compare.
 *
 *   history sum SEED CALLS PER_MILLE      a random history; told is what a thousand calls sum up to
 *   history lines SEED CALLS PER_MILLE    the same, with a line for each call
 *   history list SEED CALLS PER_MILLE     the same, told is the list of its calls
 *   history run FILE                      makes the calls of such a list, with a line for each
 *   history program FILE                  prints them as a C program
 *   history started VERBOSE TEXT          the program that histories start
 *
 * The seed decides everything; PER_MILLE of the calls concern other processes.  Standard output
 * should be a pipe: file sizes get limited.
 *
 *   calls.h, acts*.h, blocks.h, passing.h  what calls are made with; in the programs, too
 *   ops.def, script.h, print.h             the table of calls; lists of them
 *   choose*.h                              what a random history is made of
 */
#include "choose_blocks.h"
#include "print.h"

/* Seeking, reading, writing and opening are always there; of the groups that take an offset away,
 * the seed chooses how much there is: in many histories none of some, so that others are met by
 * offsets that are held. */
enum { ALWAYS, DUPS, APPENDS, COPIES, LOCKS, STREAMED, RANGES, ODD, INSIDE, GROUPS };

static const struct act {
	int weight, group;
	void (*choose)(void);
} usual[] = {
	{520, ALWAYS, choose_lseek},	 {300, ALWAYS, choose_read},
	{200, ALWAYS, choose_write},	 {80, ALWAYS, choose_readv},
	{80, ALWAYS, choose_writev},	 {40, ALWAYS, choose_preadv2},
	{40, ALWAYS, choose_pwritev2},	 {30, ALWAYS, choose_pread},
	{30, ALWAYS, choose_pwrite},	 {100, ALWAYS, choose_open},
	{75, ALWAYS, choose_close},	 {12, ALWAYS, choose_ftruncate},
	{6, ALWAYS, choose_truncate},	 {24, ALWAYS, choose_stat},
	{4, ALWAYS, choose_temporary},	 {16, ALWAYS, choose_setfd},
	{3, ALWAYS, choose_unlink},	 {2, ALWAYS, choose_fetched},
	{24, DUPS, choose_dup},		 {28, DUPS, choose_dup2},
	{16, DUPS, choose_dup3},	 {20, DUPS, choose_dupfd},
	{28, APPENDS, choose_setfl},	 {20, COPIES, choose_sendfile},
	{20, COPIES, choose_copy},	 {12, COPIES, choose_splice},
	{8, COPIES, choose_pipe},	 {16, COPIES, choose_fionread},
	{20, LOCKS, choose_lock},	 {12, LOCKS, choose_lockf},
	{16, STREAMED, choose_print},	 {16, STREAMED, choose_fopen},
	{80, STREAMED, choose_stream},	 {16, STREAMED, choose_fclose},
	{6, STREAMED, choose_freopen},	 {3, STREAMED, choose_folder},
	{6, RANGES, choose_close_range}, {6, ODD, choose_limit},
	{2, ODD, choose_action},	 {4, INSIDE, choose_interrupted},
	{12, INSIDE, choose_handler},	 {6, INSIDE, choose_thread},
};
static const struct act process[] = {
	{20, ALWAYS, choose_fork}, {20, ALWAYS, choose_offsets}, {20, ALWAYS, choose_vfork},
	{20, ALWAYS, choose_send}, {20, ALWAYS, choose_helper},	 {10, ALWAYS, choose_look},
	{6, ALWAYS, choose_start}, {4, ALWAYS, choose_daemon},	 {4, ALWAYS, choose_last_child},
	{2, ALWAYS, choose_shell},
};
static int share[GROUPS]; /* in hundredths */

static void choose_shares(void)
{
	static const int some[] = {0, 0, 10, 30, 100, 100, 300};

	share[ALWAYS] = 100;
	for (int i = 1; i < GROUPS; i++)
		share[i] = some[below(7)];
}

static int weight_of(const struct act *act)
{
	if ((plain > 1 && act->group == STREAMED) ||
	    ((plain || nested > 1) && act->group == INSIDE))
		return 0;
	return act->weight * share[act->group];
}

static void one_act(const struct act *acts, size_t n)
{
	int all = 0, at;

	for (size_t i = 0; i < n; i++)
		all += weight_of(&acts[i]);
	at = (int)below(all);
	for (size_t i = 0; i < n; i++) {
		at -= weight_of(&acts[i]);
		if (at < 0) {
			acts[i].choose();
			return;
		}
	}
}

static void choose(int per_mille)
{
	if (known.count < 3 && percent(40))
		choose_open();
	else if (below(1000) < per_mille)
		one_act(process, sizeof process / sizeof *process);
	else
		one_act(usual, sizeof usual / sizeof *usual);
}

/* What the files are at the end. */
static void conclude(void)
{
	begin("end");
	limit_size(-1);
	for (int i = 0; i < FILES; i++) {
		int fd = (int)raw(SYS_openat, AT_FDCWD, (long)paths[i], O_RDONLY, 0);
		long n;

		also(fd < 0 ? -1 : raw(SYS_lseek, fd, 0, SEEK_END, 0));
		for (long at = 0; at < 1 << 20; at += ROOM) {
			n = fd < 0 ? -1 : raw(SYS_pread64, fd, (long)room, ROOM, at);
			got(n, room);
			if (n < ROOM)
				break;
		}
		raw(SYS_close, fd, 0, 0, 0);
	}
	done(0);
	if (!verbose)
		say("end %ld %016lx\n", step, (unsigned long)summary);
	flush_lines();
}

/* An audit's report is written on this signal; compare looks for a disagreement in it. */
static void report(void)
{
	const char *mode = getenv("SEEKLESS");

	if (mode && !strcmp(mode, "audit"))
		raw(SYS_kill, raw(SYS_getpid, 0, 0, 0, 0), SIGUSR1, 0, 0);
}

static void random_history(const char *seed, long calls, int per_mille, int only_list)
{
	const char *nowait = getenv("DIFF_NOWAIT");
	char text[300];
	long told = 0;

	with_nowait = !nowait || strcmp(nowait, "no");
	chance_state = strtoull(seed, NULL, 0) * 0x2545f4914f6cdd1d + 1;
	choose_shares();
	while (step < calls) {
		list_used = 0;
		choose(per_mille);
		for (int i = 0; only_list && i < list_used; i++) {
			*call_to_text(text, &list[i]) = 0;
			say("%s\n", text);
		}
		if (only_list)
			flush_lines();
		run_calls(list, list + list_used);
		if (!verbose && step - told >= 1000)
			say("%ld %016lx\n", told = step, (unsigned long)summary);
	}
}

static int run_file(const char *name, int as_program)
{
	static struct call calls[1 << 20];
	char text[400];
	FILE *f = fopen(name, "r");
	size_t n = 0;

	while (f && n < sizeof calls / sizeof *calls && fgets(text, sizeof text, f))
		if (call_from_text(text, &calls[n]))
			n++;
	if (!f)
		return 2;
	fclose(f);
	if (as_program)
		return print_program(calls, n);
	prepare();
	run_calls(calls, calls + n);
	conclude();
	report();
	_exit(0);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (argc == 4 && !strcmp(what, "started")) {
		verbose = atoi(argv[2]);
		return started(argv[3]);
	}
	verbose = 1;
	if (argc == 3 && (!strcmp(what, "run") || !strcmp(what, "program")))
		return run_file(argv[2], !strcmp(what, "program"));
	if (argc != 5) {
		fprintf(stderr, "usage: history sum|lines|list SEED CALLS PER_MILLE\n"
				"       history run|program FILE\n");
		return 2;
	}
	verbose = !strcmp(what, "lines");
	prepare();
	random_history(argv[2], atol(argv[3]), atoi(argv[4]), !strcmp(what, "list"));
	if (strcmp(what, "list"))
		conclude();
	report();
	_exit(0); /* no stream may write at the end what another run did not */
}
