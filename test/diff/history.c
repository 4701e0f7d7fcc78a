/* SPDX-License-Identifier: MIT */
/*
 * history SEED CALLS [PER_MILLE]: makes a random history of the calls that the shim touches, in
 * the current folder, and prints a line for each: call, arguments, result, errno, checksum of
 * the data. The seed decides everything; PER_MILLE (default 2) of the calls concern other
 * processes. Nothing printed depends on the machine's state, so two runs, bare and preloaded,
 * must print the same: test/diff/compare. Standard output should be a pipe: file sizes get
 * limited.
 *
 *   files and chance: world.h; calls on descriptors: calls.h; streams: streams.h; other
 * processes: processes.h
 */
#include "world.h"
#include "calls.h"
#include "streams.h"
#include "processes.h"
#include <signal.h>
#include <sys/resource.h>

/* Seeking, reading, writing and opening are always there; of the groups that take an offset
 * away, the seed chooses how much there is: in many histories none of some, so that others are
 * met by offsets that are held. */
enum { ALWAYS, DUPS, APPENDS, COPIES, LOCKS, STREAMED, RANGES, ODD, GROUPS };

static const struct act {
	int weight, group;
	void (*make)(void);
} usual[] = {
	{260, ALWAYS, make_lseek},   {150, ALWAYS, make_read},	    {100, ALWAYS, make_write},
	{40, ALWAYS, make_readv},    {40, ALWAYS, make_writev},	    {20, ALWAYS, make_preadv2},
	{20, ALWAYS, make_pwritev2}, {15, ALWAYS, make_pread},	    {15, ALWAYS, make_pwrite},
	{60, ALWAYS, make_open},     {45, ALWAYS, make_close},	    {8, ALWAYS, make_ftruncate},
	{5, ALWAYS, make_truncate},  {12, ALWAYS, make_fstat},	    {4, ALWAYS, make_temporary},
	{8, ALWAYS, make_setfd},     {2, ALWAYS, make_unlink},	    {12, DUPS, make_dup},
	{14, DUPS, make_dup2},	     {8, DUPS, make_dup3},	    {10, DUPS, make_dupfd},
	{14, APPENDS, make_setfl},   {10, COPIES, make_sendfile},   {10, COPIES, make_copy},
	{6, COPIES, make_splice},    {6, COPIES, make_pipe},	    {8, COPIES, make_fionread},
	{10, LOCKS, make_lock},	     {6, LOCKS, make_lockf},	    {8, STREAMED, make_dprintf},
	{8, STREAMED, make_fdopen},  {40, STREAMED, use_stream},    {8, STREAMED, make_fclose},
	{3, STREAMED, make_freopen}, {3, RANGES, make_close_range}, {3, ODD, make_limit},
};
static const struct act process[] = {
	{10, ALWAYS, make_fork},     {6, ALWAYS, look_by_fork},	  {8, ALWAYS, make_vfork},
	{6, ALWAYS, start_by_vfork}, {6, ALWAYS, start_by_spawn}, {3, ALWAYS, start_by_shell},
	{6, ALWAYS, send_to_self},   {3, ALWAYS, start_by_fork},  {2, ALWAYS, expand_words},
	{3, ALWAYS, fail_to_start},
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
	return act->weight * share[act->group];
}

static void one_of(const struct act *acts, size_t n)
{
	int all = 0, at;

	for (size_t i = 0; i < n; i++)
		all += weight_of(&acts[i]);
	at = (int)below(all);
	for (size_t i = 0; i < n; i++) {
		at -= weight_of(&acts[i]);
		if (at < 0) {
			acts[i].make();
			return;
		}
	}
}

void one_call(int per_mille)
{
	step++;
	if (below(1000) < per_mille)
		one_of(process, sizeof process / sizeof *process);
	else
		one_of(usual, sizeof usual / sizeof *usual);
}

/* What the files are at the end: sizes, and their first bytes. */
static void conclude(void)
{
	for (int i = 0; i < FILES; i++) {
		char name[] = {'f', (char)('0' + i), 0};
		int fd = (int)raw(SYS_openat, AT_FDCWD, (long)name, O_RDONLY, 0);
		long n = fd < 0 ? -1 : raw(SYS_pread64, fd, (long)room, ROOM, 0);

		say("end %s size %ld", name, fd < 0 ? -1 : raw(SYS_lseek, fd, 0, SEEK_END, 0));
		sum(room, n);
		end_of_call();
	}
	flush_lines();
}

int main(int argc, char **argv)
{
	long calls;
	int per_mille;

	if (argc > 2 && !strcmp(argv[1], "started"))
		return started(argc, argv);
	if (argc < 3) {
		fprintf(stderr, "usage: history SEED CALLS [PER_MILLE]\n");
		return 2;
	}
	chance_state = strtoull(argv[1], NULL, 0) * 0x2545f4914f6cdd1d + 1;
	calls = atol(argv[2]);
	per_mille = argc > 3 ? atoi(argv[3]) : 2;
	if (raw(SYS_dup3, 1, OUTPUT, 0, 0) != OUTPUT ||
	    raw(SYS_openat, AT_FDCWD, (long)"/dev/null", O_RDWR, 0) < 0)
		return 3;
	for (int i = 0; i < 3; i++) /* as if inherited; the lines are safe from the history */
		raw(SYS_dup3, 3, i, 0, 0);
	raw(SYS_close, 3, 0, 0, 0);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	make_room();
	remember_program();
	choose_shares();
	while (step < calls)
		one_call(per_mille);
	look();
	conclude();
	_exit(0); /* no stream may write at the end what another run did not */
}
