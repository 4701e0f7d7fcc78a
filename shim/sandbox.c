/* SPDX-License-Identifier: MIT */
/* Floor 1: each kind of call that the library makes by itself, tried in a child. */
#include "sandbox.h"
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <time.h>

/*
 * Read from /proc, by calls that the loader has just made as well.  To ask prctl costs a tenth of
 * that, but a filter may kill for it; it is asked where there is no /proc.
 */
bool sandbox_is_there(void)
{
	static const char mark[] = "\nSeccomp:\t";
	char buf[512];
	size_t matched = 0;
	long n, fd = RAW4(SYS_openat, AT_FDCWD, "/proc/self/status", O_RDONLY | O_CLOEXEC, 0);

	while (fd >= 0 && (n = RAW3(SYS_read, fd, buf, sizeof(buf))) > 0) {
		for (long i = 0; i < n; i++) {
			if (matched == sizeof(mark) - 1) {
				RAW1(SYS_close, fd);
				return buf[i] != '0';
			}
			matched = buf[i] == mark[matched] ? matched + 1 : buf[i] == '\n';
		}
	}
	if (fd >= 0)
		RAW1(SYS_close, fd);
	return RAW1(SYS_prctl, PR_GET_SECCOMP) > 0;
}

/*
 * Each transfer in two ways that fail, or do nothing, for different reasons: a filter that always
 * answers the same is noticed.  fd is open, but nothing is read from it or written to it.  The
 * offset -1 is f_pos to the second version of the vectors.
 */
static bool may_transfer(int fd)
{
	static const int at_offset[] = {SYS_pread64, SYS_pwrite64, SYS_preadv,
					SYS_pwritev, SYS_preadv2,  SYS_pwritev2};
	static const int at_f_pos[] = {SYS_readv, SYS_writev, SYS_preadv2, SYS_pwritev2};

	for (size_t i = 0; i < sizeof(at_offset) / sizeof(*at_offset); i++)
		if (RAW6(at_offset[i], -1, NULL, 0, 0, 0, 0) != -EBADF ||
		    RAW6(at_offset[i], fd, NULL, 0, -2, -1, 0) != -EINVAL)
			return false;
	for (size_t i = 0; i < sizeof(at_f_pos) / sizeof(*at_f_pos); i++)
		if (RAW6(at_f_pos[i], -1, NULL, 0, -1, -1, 0) != -EBADF ||
		    RAW6(at_f_pos[i], fd, NULL, 0, -1, -1, 0) != 0)
			return false;
	return RAW3(SYS_read, -1, NULL, 0) == -EBADF && RAW3(SYS_read, fd, NULL, 1) == -EFAULT &&
	       RAW3(SYS_write, -1, NULL, 0) == -EBADF && RAW3(SYS_write, fd, NULL, -1) == -EFAULT;
}

static bool may_use_files(void)
{
	long fd = RAW4(SYS_openat, AT_FDCWD, "/proc/self/comm", O_RDWR | O_CLOEXEC, 0);
	struct stat st = {0};
	struct statfs fs = {0};
	char c;

	return fd >= 0 && may_transfer((int)fd) && !RAW2(SYS_fstat, fd, &st) &&
	       S_ISREG(st.st_mode) && !RAW2(SYS_fstatfs, fd, &fs) && fs.f_type &&
	       RAW2(SYS_fcntl, fd, F_GETFD) == FD_CLOEXEC &&
	       RAW3(SYS_lseek, fd, 0, SEEK_CUR) == 0 && RAW3(SYS_lseek, fd, 0, 99) == -EINVAL &&
	       !RAW1(SYS_close, fd) && RAW3(SYS_lseek, fd, 0, SEEK_SET) == -EBADF &&
	       RAW4(SYS_readlinkat, AT_FDCWD, "", &c, 1) == -ENOENT &&
	       RAW2(SYS_getcwd, &c, 0) == -ERANGE;
}

static bool may_use_signals(void)
{
	const struct timespec now = {0, 0};
	const sigmask_t none = 0;
	sigmask_t all, pending = 0;
	stack_t alt;
	long pid = RAW0(SYS_getpid), tid = RAW0(SYS_gettid);

	signals_block();
	return pid > 0 && tid > 0 && !RAW3(SYS_tgkill, pid, tid, 0) &&
	       !RAW4(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &all, sizeof(all)) && all &&
	       !RAW4(SYS_rt_sigaction, SIGUSR1, NULL, NULL, sizeof(sigmask_t)) &&
	       !RAW2(SYS_sigaltstack, NULL, &alt) &&
	       !RAW2(SYS_rt_sigpending, &pending, sizeof(pending)) &&
	       RAW4(SYS_rt_sigtimedwait, &none, NULL, &now, sizeof(none)) == -EAGAIN;
}

static bool may_wait_and_map(void)
{
	const struct timespec now = {0, 0};
	struct rlimit lim = {0, 0};
	uint32_t word = 1;

	return RAW4(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &now) == -EAGAIN &&
	       !RAW3(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1) && !RAW0(SYS_sched_yield) &&
	       !RAW2(SYS_nanosleep, &now, NULL) &&
	       !RAW4(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, &lim) && lim.rlim_max &&
	       (unsigned long)RAW6(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) < -4096UL;
}

/*
 * A killed child leaves no core (a limit of 1 stops those to a pipe as well), and is not seen by
 * the program's own waits: no SIGCHLD, and found by __WALL only.  CLONE_VFORK waits for it, should
 * wait4 be among what the filter kills for.  That clone itself is not can only be hoped.
 */
bool sandbox_allows_us(void)
{
	const struct rlimit no_core = {1, 1};
	struct {
		int tid; /* set by a clone that has been made, whatever a filter answers */
		bool may_wait, may_all;
	} *child;
	long pid, at;
	bool may_all;

	at = RAW6(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (at <= 0)
		return false;
	child = (void *)at;
	pid = RAW6(SYS_clone, CLONE_VFORK | CLONE_PARENT_SETTID, 0, &child->tid, 0, 0, 0);
	if (pid == 0 && child->tid) {
		RAW4(SYS_prlimit64, 0, RLIMIT_CORE, &no_core, NULL);
		child->may_wait = RAW4(SYS_wait4, -1, NULL, __WALL, NULL) == -ECHILD;
		child->may_all = may_use_files() && may_use_signals() && may_wait_and_map();
		RAW1(SYS_exit_group, 0);
	}
	while (pid > 0 && child->may_wait && RAW4(SYS_wait4, pid, NULL, __WALL, NULL) == -EINTR)
		;
	may_all = pid > 0 && child->may_all;
	RAW2(SYS_munmap, at, 4096);
	return may_all;
}
