/* SPDX-License-Identifier: MIT */
/*
 * Floor 4, operations: the report, and where it goes.  All of it runs in a signal handler, or while the process
 * ends, between any two lines of us.
 */
#include "report.h"
#include "config.h"
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

static long open_report(void)
{
	static struct text path;

	text_begin(&path, -1);
	for (const char *c = config.report; *c; c++) {
		if (c[0] == '%' && c[1] == 'p') {
			text_num(&path, (uint64_t)RAW0(SYS_getpid), 0);
			c++;
		} else {
			text_char(&path, *c);
		}
	}
	if (path.n == sizeof(path.buf))
		return -ENAMETOOLONG;
	path.buf[path.n] = 0;
	return RAW4(SYS_openat, AT_FDCWD, path.buf,
		    O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY,
		    0644);
}

static struct stat stderr_at_start; /* st_nlink 0: 2 was closed */

void report_note_stderr(void)
{
	if (RAW2(SYS_fstat, 2, &stderr_at_start))
		stderr_at_start.st_nlink = 0;
}

static bool stderr_is_the_same(void)
{
	struct stat st;

	return stderr_at_start.st_nlink && !RAW2(SYS_fstat, 2, &st) &&
	       st.st_dev == stderr_at_start.st_dev && st.st_ino == stderr_at_start.st_ino;
}

/* Of a report; in JSON, a byte of a name may become two. */
#define MOST_BYTES (config.json ? 1 << 17 : 1 << 16)

/* A file that would grow over RLIMIT_FSIZE costs the program a SIGXFSZ. */
static bool has_room(long fd)
{
	struct rlimit lim = {RLIM_INFINITY, RLIM_INFINITY};
	struct stat st;

	RAW4(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, &lim);
	return lim.rlim_cur == RLIM_INFINITY ||
	       (!RAW2(SYS_fstat, fd, &st) &&
		(!S_ISREG(st.st_mode) || (uint64_t)st.st_size + MOST_BYTES < lim.rlim_cur));
}

/*
 * 0, or the error that cut it off.  One that was cut off, by a full disk say, must not have the next one on its
 * last line.
 */
static long write_all(long to)
{
	static struct text t;
	bool was_cut = t.cut;

	text_begin(&t, (int)to);
	if (was_cut)
		text_char(&t, '\n');
	if (config.json)
		report_json(&t);
	else
		report_text(&t);
	text_flush(&t, (int)to);
	return t.cut ? t.error : 0;
}

/* A reader that has gone away makes our write send SIGPIPE to this thread, where it is blocked. */
static long without_sigpipe(long (*write)(long), long arg)
{
	const sigmask_t pipe_only = 1UL << (SIGPIPE - 1);
	const struct timespec now = {0, 0};
	sigmask_t pending = 0;
	long error;

	RAW2(SYS_rt_sigpending, &pending, sizeof(pending));
	error = write(arg);
	if (!(pending & pipe_only))
		RAW4(SYS_rt_sigtimedwait, &pipe_only, NULL, &now, sizeof(pipe_only));
	return error;
}

/* One line, where the report was to go to a file. */
static long complain(long error)
{
	static const struct {
		int error;
		const char *words;
	} known[] = {
		{ENOSPC, "no room"},	{EFBIG, "RLIMIT_FSIZE"},  {EACCES, "permission denied"},
		{ENOENT, "no such folder"}, {EISDIR, "it is a folder"}, {ELOOP, "it is a link"},
		{EMFILE, "no descriptor left"}, {ENXIO, "nobody reads it"}, {EROFS, "read-only"},
	};
	static struct text t;

	text_begin(&t, 2);
	text_str(&t, "seekless: process ");
	text_num(&t, (uint64_t)RAW0(SYS_getpid), 0);
	text_str(&t, " cannot write its report to ");
	text_str(&t, config.report);
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].error == -error) {
			text_str(&t, ": ");
			text_str(&t, known[i].words);
		}
	text_str(&t, "; `seekless stat` shows the same\n");
	text_flush(&t, 2);
	return 0;
}

static void write_report(void)
{
	long fd = config.report[0] ? open_report() : -1, error = 0;

	if (fd >= 0) {
		error = has_room(fd) ? without_sigpipe(write_all, fd) : -EFBIG;
		RAW1(SYS_close, fd);
	} else if (config.report[0]) {
		error = fd;
	} else if (stderr_is_the_same() && has_room(2)) {
		without_sigpipe(write_all, 2);
	}
	if (error && stderr_is_the_same() && has_room(2))
		without_sigpipe(complain, error);
}

/*
 * The buffers are static, for the stack may be a small one, and one thread writes at a time.  Who
 * is asked meanwhile does not wait: the writer begins once more, so each request is followed by a
 * report that began after it.  With every signal blocked no handler can jump out of the writing.
 */
static uint32_t requests; /* since the writer began; 0: nobody writes */

void report_write(void)
{
	sigmask_t mask = signals_block();
	uint32_t seen = 1;

	if (!tls.vfork_depth && !__atomic_fetch_add(&requests, 1, __ATOMIC_SEQ_CST))
		do
			write_report();
		while (!__atomic_compare_exchange_n(&requests, &seen, 0, false, __ATOMIC_SEQ_CST,
						    __ATOMIC_SEQ_CST));
	signals_restore(mask);
}

void report_wait(void)
{
	const struct timespec ms = {0, 1000000};

	for (int i = 0; i < 1000 && __atomic_load_n(&requests, __ATOMIC_ACQUIRE); i++)
		RAW2(SYS_nanosleep, &ms, NULL);
}

/* The writer may be a thread that the child does not have.  What the parent has saved is not the child's. */
void report_reset_in_child(void)
{
	requests = 0;
	for (uint32_t fd = 0; fd < hot_get(&hot.high); fd++)
		if (slot_is_tracked(hot.slot[fd]))
			slot_ofd(hot.slot[fd])->saved = 0;
	report_end_reset_in_child();
}
