/* SPDX-License-Identifier: MIT */
/*
 * Floor 6, start: the constructor.  Whatever was called before it went straight to the kernel, and
 * what was opened then is a stranger.  There is no destructor: nothing is ever taken down.
 */
#include "config.h"
#include "fdtab.h"
#include "real.h"
#include "report.h"
#include <sys/resource.h>
#include <sys/wait.h>

/*
 * A filter of system calls that was there before us may kill for the calls that we put in the place of
 * others.  A child finds out; it is not seen by the program's own waits (no SIGCHLD, __WALL only), and
 * leaves no core.
 */
static bool sandbox_allows_us(void)
{
	static const int ours[] = {SYS_pread64, SYS_pwrite64, SYS_preadv,  SYS_pwritev,
				   SYS_preadv2, SYS_pwritev2, SYS_fstatfs, SYS_fstat};
	const struct rlimit none = {0, 0};
	int status = -1;
	long pid, r;

	if (RAW1(SYS_prctl, PR_GET_SECCOMP) != 2)
		return true;
	pid = RAW6(SYS_clone, 0, 0, 0, 0, 0, 0);
	if (pid == 0) {
		RAW4(SYS_prlimit64, 0, RLIMIT_CORE, &none, NULL);
		for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
			if (RAW6(ours[i], -1, NULL, 0, 0, 0, 0) != -EBADF)
				RAW1(SYS_exit_group, 1);
		RAW1(SYS_exit_group, 0);
	}
	do {
		r = RAW4(SYS_wait4, pid, &status, __WALL, NULL);
	} while (r == -EINTR);
	return pid > 0 && r == pid && status == 0;
}

__attribute__((constructor)) static void start(void)
{
	real_resolve();
	config_read();
	if (!config.on)
		return;
	if (!sandbox_allows_us()) {
		config.on = false;
		return;
	}
	count_on();
	report_start();
	if (!fdtab_start())
		config.on = false;
}
