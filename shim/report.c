/* SPDX-License-Identifier: MIT */
/*
 * Floor 4, operations: the report.  All of it runs in a signal handler, between any two lines of us.
 */
#include "report.h"
#include "audit.h"
#include "config.h"
#include "fdtab.h"
#include "names.h"
#include "text.h"
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>

static struct text path; /* a name that is being put together; see report_write */

static void line(struct text *t, uint64_t n, const char *before, const char *group,
		 const struct named *what)
{
	if (!n)
		return;
	text_str(t, "  ");
	text_num(t, n, 12);
	text_str(t, "  ");
	text_str(t, before);
	text_str(t, name_at(what->words));
	text_str(t, "  (");
	text_str(t, group);
	text_str(t, name_at(what->key));
	text_str(t, ")\n");
}

/* The numbers that are counted by reason. */
static const struct {
	unsigned first;
	const char *words, *group;
} by_reason[] = {
	{C_why, "passed: ", "pass.why."},
	{C_back, "handed back: ", "back."},
	{C_gone, "let go: ", "gone."},
};

static void write_counters(struct text *t)
{
	for (unsigned i = 0; i < C_why; i++)
		line(t, count_sum(i), "", "", &counter_names[i]);
	for (unsigned k = 0; k < sizeof(by_reason) / sizeof(*by_reason); k++)
		for (unsigned i = 0; i < REASONS; i++)
			line(t, count_sum(by_reason[k].first + i), by_reason[k].words,
			     by_reason[k].group, &reason_names[i]);
}

/* A name that cannot end a line, or be a command to a terminal. */
static void write_name(struct text *t, const char *name)
{
	for (const char *c = name; *c; c++)
		text_str(t, (char[]){(unsigned char)*c < ' ' || *c == 127 ? '?' : *c, 0});
}

static void write_path(struct text *t, int fd)
{
	long n;

	text_begin(&path, -1);
	text_str(&path, "/proc/self/fd/");
	text_num(&path, (uint64_t)fd, 0);
	path.buf[path.n] = 0;
	text_str(t, "fd ");
	text_str(t, path.buf + 14);
	text_str(t, " ");
	n = RAW4(SYS_readlinkat, AT_FDCWD, path.buf, path.buf, sizeof(path.buf) - 1);
	path.buf[n > 0 ? n : 0] = 0;
	write_name(t, path.buf);
}

static uint32_t saved_by(int fd)
{
	uintptr_t slot = fd_slot(fd);

	return slot_is_tracked(slot) ? slot_ofd(slot)->saved : 0;
}

/* The five that gained most, by one walk for each. */
static void write_best(struct text *t)
{
	uint64_t below = UINT64_MAX;

	for (int i = 0; i < 5; i++) {
		uint64_t best = 0;

		for (uint32_t fd = 0; fd < hot.high; fd++) {
			uint64_t rank = (uint64_t)saved_by((int)fd) << 32 | (UINT32_MAX - fd);

			if (rank < below && rank > best && rank >> 32)
				best = rank;
		}
		if (!best)
			return;
		below = best;
		text_str(t, "  ");
		text_num(t, best >> 32, 12);
		text_str(t, "  lseeks saved on ");
		write_path(t, (int)(UINT32_MAX - (uint32_t)best));
		text_str(t, "  (fd)\n");
	}
}

static void write_offset(struct text *t, int64_t off)
{
	if (off < 0)
		text_str(t, "-");
	text_num(t, off < 0 ? -(uint64_t)off : (uint64_t)off, 0);
}

static void write_disagreements(struct text *t)
{
	for (int i = 0; i < AUDIT_KEPT; i++) {
		const struct disagreement *d = &audit_kept[i];

		if (!d->at)
			continue;
		text_str(t, "  the kernel has ");
		write_offset(t, d->kernels);
		text_str(t, ", the library would have ");
		write_offset(t, d->ours);
		text_str(t, " ");
		text_str(t, d->at);
		text_str(t, " on ");
		text_str(t, "fd ");
		text_num(t, (uint64_t)d->fd, 0);
		text_str(t, " ");
		write_name(t, d->path);
		text_str(t, "  (wrong)\n");
	}
}

static void write_all(int to)
{
	static struct text t;
	const char *name = (const char *)getauxval(AT_EXECFN);

	text_begin(&t, to);
	if (name && strrchr(name, '/'))
		name = strrchr(name, '/') + 1;
	text_str(&t, "seekless " SEEKLESS_VERSION " pid ");
	text_num(&t, (uint64_t)RAW0(SYS_getpid), 0);
	text_str(&t, " program ");
	text_str(&t, name ? name : "?");
	if (config.audit)
		text_str(&t,
			 ", audit: the kernel made every call, and this is what would have been");
	text_str(&t, "\n");
	write_counters(&t);
	write_disagreements(&t);
	write_best(&t);
	text_str(&t, "end pid ");
	text_num(&t, (uint64_t)RAW0(SYS_getpid), 0);
	text_str(&t, "\n");
	text_flush(&t, to);
}

/* ---- where it goes ---- */

static long open_report(void)
{
	text_begin(&path, -1);
	for (const char *c = config.report; *c; c++) {
		if (c[0] == '%' && c[1] == 'p') {
			text_num(&path, (uint64_t)RAW0(SYS_getpid), 0);
			c++;
		} else {
			text_str(&path, (char[]){*c, 0});
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

/* A file that would grow over RLIMIT_FSIZE costs the program a SIGXFSZ. */
static bool has_room(long fd)
{
	struct rlimit lim = {RLIM_INFINITY, RLIM_INFINITY};
	struct stat st;

	RAW4(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, &lim);
	return lim.rlim_cur == RLIM_INFINITY ||
	       (!RAW2(SYS_fstat, fd, &st) &&
		(!S_ISREG(st.st_mode) || (uint64_t)st.st_size + 65536 < lim.rlim_cur));
}

/* A reader that has gone away makes our write send SIGPIPE to this thread, where it is blocked. */
static void write_without_sigpipe(int fd)
{
	const sigmask_t pipe_only = 1UL << (SIGPIPE - 1);
	const struct timespec now = {0, 0};
	sigmask_t pending = 0;

	RAW2(SYS_rt_sigpending, &pending, sizeof(pending));
	write_all(fd);
	if (!(pending & pipe_only))
		RAW4(SYS_rt_sigtimedwait, &pipe_only, NULL, &now, sizeof(pipe_only));
}

static void write_report(void)
{
	long fd = config.report[0] ? open_report() : -1;

	if (fd >= 0) {
		if (has_room(fd))
			write_without_sigpipe((int)fd);
		RAW1(SYS_close, fd);
	} else if (!config.report[0] && stderr_is_the_same() && has_room(2)) {
		write_without_sigpipe(2);
	}
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

/* The writer may be a thread that the child does not have. */
void report_reset_in_child(void)
{
	requests = 0;
}
