/* SPDX-License-Identifier: MIT */
/*
 * A handler that jumps out of writes.  The kernel ends the write first, or has not begun it:
 * the offset is then behind it or before it, and the description is as good as it was.
 */
#include "race/race.h"
#include <setjmp.h>

enum { BLOCK = 65536, ROOM = 64 * BLOCK };

static sigjmp_buf out;
static volatile sig_atomic_t is_inside;

static void jump(int sig)
{
	(void)sig;
	if (is_inside)
		siglongjmp(out, 1);
}

/* Was it jumped out of? */
static int write_block(int fd, const char *block)
{
	if (sigsetjmp(out, 1)) {
		is_inside = 0;
		return 1;
	}
	is_inside = 1;
	MUST(write(fd, block, BLOCK) == BLOCK);
	is_inside = 0;
	return 0;
}

int main(int argc, char **argv)
{
	static char block[BLOCK];
	unsigned long wanted, jumps = 0;
	long at = 0, is;
	int fd;

	(void)argc;
	counters_ready(argv);
	wanted = amount(2000);
	MUST((fd = open(new_path(disk_dir()), O_RDWR | O_CLOEXEC)) >= 0);
	tick_start(SIGALRM, jump, 300);
	while (jumps < wanted) {
		int jumped;

		if (at >= ROOM)
			at = 0;
		MUST(lseek(fd, at, SEEK_SET) == at);
		jumped = write_block(fd, block);
		is = lseek(fd, 0, SEEK_CUR);
		if (is != at + BLOCK && !(jumped && is == at))
			fail("a write at %ld left the offset at %ld, jumped: %d", at, is,
			     jumped);
		at = is;
		jumps += (unsigned)jumped;
	}
	signal(SIGALRM, SIG_IGN);
	counters_take();
	printf("%lu jumps; shim: %lu out of writes\n", jumps, counter("jumped"));
	counter_at_least("jumped", wanted / 20);
	return 0;
}
