/* SPDX-License-Identifier: MIT */
/*
 * history SEED CALLS [PER_MILLE]: makes a random history of the calls that the shim touches, in the current folder, and
 * prints a line for each: call, arguments, result, errno, checksum of the data. The seed decides everything; PER_MILLE
 * (default 4) of the calls concern other processes. Nothing printed depends on the machine's state, so two runs, bare
 * and preloaded, must print the same: test/diff/compare. Standard output should be a pipe: file sizes get limited.
 *
 *   files and chance: world.h; calls on descriptors: calls.h; streams: streams.h; other processes: processes.h
 */
#include "world.h"
#include "calls.h"
#include "streams.h"
#include "processes.h"
#include <signal.h>
#include <sys/resource.h>

struct act {
	int weight;
	void (*make)(void);
};

static const struct act usual[] = {
	{220, make_lseek},    {150, make_read},	    {120, make_write},	   {40, make_readv},
	{40, make_writev},    {20, make_preadv2},   {20, make_pwritev2},   {20, make_pread},
	{20, make_pwrite},    {70, make_open},	    {35, make_close},	   {14, make_dup},
	{16, make_dup2},      {8, make_dup3},	    {10, make_dupfd},	   {12, make_setfl},
	{8, make_setfd},      {10, make_ftruncate}, {6, make_truncate},	   {14, make_fstat},
	{10, make_sendfile},  {10, make_copy},	    {6, make_splice},	   {8, make_fionread},
	{10, make_lock},      {6, make_lockf},	    {8, make_dprintf},	   {8, make_fdopen},
	{40, use_stream},     {8, make_fclose},	    {3, make_freopen},	   {3, make_close_range},
	{6, make_pipe},	      {4, make_temporary},  {2, make_limit},	   {3, make_unlink},
};
static const struct act process[] = {
	{10, make_fork},      {6, look_by_fork},    {8, make_vfork},	   {6, start_by_vfork},
	{6, start_by_spawn},  {3, start_by_shell},  {6, send_to_self},	   {3, start_by_fork},
	{2, expand_words},    {3, fail_to_start},
};

static void one_of(const struct act *acts, size_t n)
{
	int all = 0, at;

	for (size_t i = 0; i < n; i++)
		all += acts[i].weight;
	at = (int)below(all);
	for (size_t i = 0; i < n; i++) {
		at -= acts[i].weight;
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
	per_mille = argc > 3 ? atoi(argv[3]) : 4;
	if (raw(SYS_dup3, 1, OUTPUT, 0, 0) != OUTPUT || raw(SYS_openat, AT_FDCWD, (long)"/dev/null", O_RDWR, 0) < 0)
		return 3;
	for (int i = 0; i < 3; i++) /* as if inherited; the lines are safe from the history */
		raw(SYS_dup3, 3, i, 0, 0);
	raw(SYS_close, 3, 0, 0, 0);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	make_room();
	remember_program();
	while (step < calls)
		one_call(per_mille);
	look();
	conclude();
	_exit(0); /* no stream may write at the end what another run did not */
}
