/* SPDX-License-Identifier: MIT */
/*
 * What the row tests share. A row test is one small program for one row of the entries table,
 * named after the libc function. It brings a descriptor to where the shim holds its offset
 * (held()), makes the call in question, and checks results, errno, data and offsets. Each
 * passes without the shim first: the kernel is the oracle. Where a result depends on the file
 * system, the same call is made with a bare `syscall` instruction on a twin descriptor (SAME).
 *
 * A program defines `static void row(void)` and includes this file, which has main(). Without
 * ROW_SETTING it runs in all of these, each in a process of its own:
 *
 * - plain: in main()
 * - thread: in a second thread
 * - child: in a forked child
 * - syscall: as plain, but what has a system call of its own is called by syscall()
 * - preinit: from .preinit_array, before the constructors of all libraries, the shim's too
 * - constructor: from a constructor. Built by `gcc -shared -fPIC`, put behind the shim in
 *   LD_PRELOAD and run with /bin/true (ROW_SELF: the program built as usual), it is another
 *   library's, which comes before the shim's own
 *
 * With the shim on, a row in which it took no offset has tested nothing and fails;
 * ROW_TAKES_NONE in a program says that this is as it must be there.
 *
 * ROW_DIR (else TMPDIR, else /tmp): where the files are, to run on another file system.
 */
#ifndef SEEKLESS_TEST_ROW_H
#define SEEKLESS_TEST_ROW_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bare.h"
#include "test.h"

#ifndef __clang__ /* bad buffers and counts are what these tests are for */
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#pragma GCC diagnostic ignored "-Wstringop-overread"
#pragma GCC diagnostic ignored "-Wnonnull"
#endif

static void row(void);

enum {
	ROW_SIZE = 65536, /* of held() files */
	ROW_MARK = 7777,  /* an errno that nobody sets */
};

static char row_folder[PATH_MAX], row_program[PATH_MAX];
static pid_t row_owner;
static int row_by_syscall, row_is_early; /* early: nobody answers SIGUSR1 yet */

#define RAW_(nr, a, b, c, d, e, f, ...)                                                        \
	bare_syscall(nr, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define RAW(...) RAW_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

/* The offset that the kernel has, whatever anybody in this process believes. */
static inline long kernel_offset(int fd)
{
	return RAW(SYS_lseek, fd, 0, SEEK_CUR);
}

static inline void row_tidy(void)
{
	DIR *d;
	struct dirent *e;

	if (getpid() != row_owner || !row_folder[0] || chdir(row_folder) || !(d = opendir(".")))
		return;
	while ((e = readdir(d)))
		unlink(e->d_name);
	closedir(d);
	if (!chdir("/"))
		rmdir(row_folder);
}

__attribute__((noreturn, format(printf, 3, 4))) static inline void
row_fail(const char *file, int line, const char *form, ...)
{
	char text[1024];
	va_list ap;
	int n = snprintf(text, sizeof text, "%s:%d: ", file, line);

	va_start(ap, form);
	vsnprintf(text + n, sizeof text - n - 1, form, ap);
	va_end(ap);
	strcat(text, "\n");
	RAW(SYS_write, 2, text, strlen(text));
	_exit(1);
}

/* The call succeeds with this value, and errno is exactly what it was. */
#define GIVES(call, value)                                                                     \
	do {                                                                                   \
		errno = ROW_MARK;                                                              \
		long long got_ = (long long)(call);                                            \
		int e_ = errno;                                                                \
		long long want_ = (long long)(value);                                          \
		if (got_ != want_ || e_ != ROW_MARK)                                           \
			row_fail(__FILE__, __LINE__, "%s gives %lld, wanted %lld; errno %d",   \
				 #call, got_, want_, e_);                                      \
	} while (0)

/* The call fails with -1 and this errno. */
#define FAILS(call, error)                                                                     \
	do {                                                                                   \
		errno = ROW_MARK;                                                              \
		long long got_ = (long long)(call);                                            \
		int e_ = errno;                                                                \
		if (got_ != -1 || e_ != (error))                                               \
			row_fail(__FILE__, __LINE__,                                           \
				 "%s gives %lld errno %d, wanted -1 errno %d", #call, got_,    \
				 e_, (error));                                                 \
	} while (0)

/* The call does what the bare system call does (on a twin descriptor, in the same state). */
#define SAME(call, raw)                                                                        \
	do {                                                                                   \
		long want_ = (raw);                                                            \
		errno = ROW_MARK;                                                              \
		long got_ = (long)(call);                                                      \
		int e_ = errno;                                                                \
		if (got_ == -1 && e_ != ROW_MARK)                                              \
			got_ = -e_;                                                            \
		else if (e_ != ROW_MARK)                                                       \
			row_fail(__FILE__, __LINE__, "%s: errno became %d", #call, e_);        \
		if (got_ != want_)                                                             \
			row_fail(__FILE__, __LINE__, "%s gives %ld, %s gives %ld", #call,      \
				 got_, #raw, want_);                                           \
	} while (0)

/* In the setting "syscall" these go through syscall(), helpers below included. */
#define VIA(libc, ...) (row_by_syscall ? syscall(__VA_ARGS__) : (libc))
#define lseek(fd, o, w) VIA((lseek)(fd, o, w), SYS_lseek, fd, (off_t)(o), w)
#define read(fd, b, n) VIA((read)(fd, b, n), SYS_read, fd, b, (size_t)(n))
#define write(fd, b, n) VIA((write)(fd, b, n), SYS_write, fd, b, (size_t)(n))
#define readv(fd, v, n) VIA((readv)(fd, v, n), SYS_readv, fd, v, n)
#define writev(fd, v, n) VIA((writev)(fd, v, n), SYS_writev, fd, v, n)
#define preadv2(fd, v, n, o, f)                                                                \
	VIA((preadv2)(fd, v, n, o, f), SYS_preadv2, fd, v, n, (off_t)(o), (off_t)(o) >> 63, f)
#define pwritev2(fd, v, n, o, f)                                                               \
	VIA((pwritev2)(fd, v, n, o, f), SYS_pwritev2, fd, v, n, (off_t)(o), (off_t)(o) >> 63, f)
#define open(path, ...)                                                                        \
	(int)VIA((open)(path, __VA_ARGS__), SYS_openat, AT_FDCWD, path, __VA_ARGS__)
#define openat(at, path, ...)                                                                  \
	(int)VIA((openat)(at, path, __VA_ARGS__), SYS_openat, at, path, __VA_ARGS__)
#define close(fd) (int)VIA((close)(fd), SYS_close, fd)
#define dup(fd) (int)VIA((dup)(fd), SYS_dup, fd)
#define dup3(a, b, f) (int)VIA((dup3)(a, b, f), SYS_dup3, a, b, f)
#define fcntl(...) (int)VIA((fcntl)(__VA_ARGS__), SYS_fcntl, __VA_ARGS__)
#define ftruncate(fd, n) (int)VIA((ftruncate)(fd, n), SYS_ftruncate, fd, (off_t)(n))
#define fork() (pid_t) VIA((fork)(), SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L)
#define sendfile(o, i, p, n) VIA((sendfile)(o, i, p, n), SYS_sendfile, o, i, p, (size_t)(n))
#define splice(i, a, o, b, n, f)                                                               \
	VIA((splice)(i, a, o, b, n, f), SYS_splice, i, a, o, b, (size_t)(n), f)
#define copy_file_range(i, a, o, b, n, f)                                                      \
	VIA((copy_file_range)(i, a, o, b, n, f), SYS_copy_file_range, i, a, o, b, (size_t)(n), \
	    f)
#define sendmsg(s, m, f) VIA((sendmsg)(s, m, f), SYS_sendmsg, s, m, f)
#define ioctl(fd, q, p) (int)VIA((ioctl)(fd, q, p), SYS_ioctl, fd, q, p)
#define unshare(f) (int)VIA((unshare)(f), SYS_unshare, f)
#define execve(p, a, e) (int)VIA((execve)(p, a, e), SYS_execve, p, a, e)
#define execveat(d, p, a, e, f) (int)VIA((execveat)(d, p, a, e, f), SYS_execveat, d, p, a, e, f)
#ifdef SYS_dup2
#define dup2(a, b) (int)VIA((dup2)(a, b), SYS_dup2, a, b)
#endif
#ifdef SYS_creat
#define creat(p, m) (int)VIA((creat)(p, m), SYS_creat, p, m)
#endif

/* The byte that a row's file has at an offset: no two places of 4 bytes within 64 KiB are
 * equal. */
static inline unsigned char byte_at(off_t o)
{
	return (unsigned char)(o % 4 == 0 ? o / 4 : o % 4 == 1 ? o / 1024 : o * 7 + 1);
}

static inline void fill(void *to, off_t o, size_t n)
{
	unsigned char *b = to;

	for (size_t i = 0; i < n; i++)
		b[i] = byte_at(o + i);
}

/* Does the buffer hold what is at this offset of a row's file? */
static inline int has(const void *buf, off_t o, size_t n)
{
	const unsigned char *b = buf;

	for (size_t i = 0; i < n; i++)
		if (b[i] != byte_at(o + i))
			return 0;
	return 1;
}

/* Make a file of this size, by bare system calls: no history with the shim. */
static inline void make_file(const char *name, size_t size)
{
	char *b = malloc(size + 1);
	int fd = RAW(SYS_openat, AT_FDCWD, name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	fill(b, 0, size);
	CHECK(b && fd >= 0 && RAW(SYS_write, fd, b, size) == (long)size);
	RAW(SYS_close, fd);
	free(b);
}

/* A descriptor of the same file that the shim has never heard of. */
static inline int twin_of(const char *name, int flags)
{
	int fd = RAW(SYS_openat, AT_FDCWD, name, flags, 0600);

	CHECK(fd >= 0);
	return fd;
}

/* What the file has at this offset is what the pattern has at `of`. Seen by the bare call. */
static inline int file_has(const char *name, off_t at, off_t of, size_t n)
{
	char *b = malloc(n + 1);
	int fd = twin_of(name, O_RDONLY);
	int good = RAW(SYS_pread64, fd, b, n, at) == (long)n && has(b, of, n);

	RAW(SYS_close, fd);
	free(b);
	return good;
}

static inline long size_of(const char *name)
{
	struct stat st;

	return stat(name, &st) ? -1 : (long)st.st_size;
}

/* Two places and a read of 4 bytes: the offset is now at + 4, and the shim's if ever. */
static inline void hold(int fd, off_t at)
{
	char b[4];

	GIVES(lseek(fd, at / 2, SEEK_SET), at / 2);
	GIVES(lseek(fd, at, SEEK_SET), at);
	GIVES(read(fd, b, 4), 4);
	CHECK(has(b, at, 4));
}

static inline int held_open(const char *name, off_t at, int flags)
{
	int fd;

	make_file(name, ROW_SIZE);
	fd = open(name, flags);
	CHECK(fd >= 0);
	hold(fd, at);
	return fd;
}

/* A new file of 64 KiB, open for reading and writing, its offset at + 4 after a seek and a
 * read. */
static inline int held(const char *name, off_t at)
{
	return held_open(name, at, O_RDWR);
}

/* The offset that the program sees. */
#define AT(fd, offset) GIVES(lseek(fd, 0, SEEK_CUR), offset)

/* At the receiving end: the kernel's offset, the visible one, and 4 bytes read there. */
#define receive(fd, at) receive_at(__LINE__, fd, at)
static inline void receive_at(int line, int fd, off_t at)
{
	char b[4];

	if (kernel_offset(fd) != at)
		row_fail(program_invocation_short_name, line,
			 "number %d received: the kernel's offset is %ld, wanted %ld", fd,
			 kernel_offset(fd), (long)at);
	AT(fd, at);
	GIVES(read(fd, b, 4), 4);
	if (!has(b, at, 4))
		row_fail(program_invocation_short_name, line,
			 "number %d received at %ld: not what lies there", fd, (long)at);
	CHECK(kernel_offset(fd) == at + 4);
}

/* The child ended with this status. */
static inline void ends(pid_t pid, int status)
{
	int st = -1;

	CHECK(pid > 0);
	while (waitpid(pid, &st, 0) < 0)
		CHECK(errno == EINTR);
	if (!WIFEXITED(st) || WEXITSTATUS(st) != status)
		row_fail(__FILE__, __LINE__, "child ended with status 0x%x, wanted exit %d", st,
			 status);
}

/* A forked child finds the kernel at this offset, reads 4 bytes, and we see that it did. */
#define child_receives(fd, at) child_receives_at(__LINE__, fd, at)
static inline void child_receives_at(int line, int fd, off_t at)
{
	pid_t pid = fork();

	if (pid == 0) {
		receive_at(line, fd, at);
		_exit(0);
	}
	ends(pid, 0);
	AT(fd, at + 4);
}

/* A buffer whose last good byte is the n-th: what is behind it cannot be touched. */
static inline char *edge(size_t n)
{
	char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(p != MAP_FAILED && !mprotect(p + 4096, 4096, PROT_NONE));
	return p + 4096 - n;
}

static inline void *row_body(void *unused)
{
	const char *base = getenv("ROW_DIR");

	if (!base)
		base = getenv("TMPDIR");
	snprintf(row_folder, sizeof row_folder - 1, "%s/row.XXXXXX", base ? base : "/tmp");
	row_owner = getpid();
	CHECK(mkdtemp(row_folder) && !chdir(row_folder));
	row();
#if !defined(ROW_TAKES_NONE) && !defined(ROW_COUNTS_LOST)
	if (!row_is_early && counter("take") == 0)
		row_fail(__FILE__, __LINE__, "nothing was tested: the shim took no offset");
#endif
	row_tidy();
	return unused;
}

static inline int row_start(const char *setting)
{
	const char *self = getenv("ROW_SELF");
	pthread_t t;
	pid_t pid;
	int st = 0;

	alarm(120);
	if (self)
		snprintf(row_program, sizeof row_program, "%s", self);
	else
		CHECK(readlink("/proc/self/exe", row_program, sizeof row_program - 1) > 0);
	row_by_syscall = !strcmp(setting, "syscall");
	if (!strcmp(setting, "thread")) {
		CHECK(!pthread_create(&t, NULL, row_body, NULL) && !pthread_join(t, NULL));
	} else if (!strcmp(setting, "child")) {
		pid = (fork)();
		if (pid == 0) {
			row_body(NULL);
			exit(0);
		}
		CHECK(waitpid(pid, &st, 0) == pid);
		return WIFEXITED(st) ? WEXITSTATUS(st) : 1;
	} else {
		row_body(NULL);
	}
	return 0;
}

static inline int row_is(char **env, const char *setting)
{
	for (; env && *env; env++)
		if (!strncmp(*env, "ROW_SETTING=", 12))
			return !strcmp(*env + 12, setting);
	return 0;
}

__attribute__((constructor)) static void row_constructor(int argc, char **argv, char **env)
{
	char *list = getenv("LD_PRELOAD"), *blank = list ? strrchr(list, ' ') : NULL;

	if (argc > 1 || !argv || !row_is(env, "constructor"))
		return;
	if (blank) /* what we start is not preloaded with this row */
		*blank = 0;
	unsetenv("ROW_SETTING");
#if defined(__PIC__) && !defined(__PIE__)
	row_is_early = 1;
#endif
	_exit(row_start("constructor"));
}

#if !defined(__PIC__) || defined(__PIE__)
static void row_preinit(int argc, char **argv, char **env)
{
	if (argc > 1 || !argv || !row_is(env, "preinit"))
		return;
	environ = env; /* libc sets it later */
	row_is_early = 1;
	unsetenv("ROW_SETTING");
	_exit(row_start("preinit"));
}
__attribute__((section(".preinit_array"),
	       used)) static void (*const row_preinit_entry)(int, char **,
							     char **) = row_preinit;

/* Every setting, in a process of its own; where the shim is loaded but off, the first says all.
 */
static int row_everywhere(void)
{
	int off = getenv("LD_PRELOAD") && strstr(getenv("LD_PRELOAD"), "libseekless") &&
		  !shim_is_on();
	static const char *const all[] = {"plain",   "thread",	"child",
					  "syscall", "preinit", "constructor"};
	int st, worst = 0;

	for (size_t i = 0; i < (off ? 1 : sizeof all / sizeof *all); i++) {
		pid_t pid = (fork)();

		if (pid == 0) {
			setenv("ROW_SETTING", all[i], 1);
			execl("/proc/self/exe", program_invocation_name, NULL);
			_exit(96);
		}
		CHECK(pid > 0 && waitpid(pid, &st, 0) == pid);
		st = WIFEXITED(st) ? WEXITSTATUS(st) : WTERMSIG(st);
		if (st && st != TEST_SKIPPED)
			fprintf(stderr, "%s: setting %s: failed (%d)\n",
				program_invocation_short_name, all[i], st);
		if (st && (worst == 0 || worst == TEST_SKIPPED))
			worst = st;
	}
	return worst;
}

/* A program of its own that seeks, reads and writes. */
static void row_work(const char *name, off_t at)
{
	char b[8];
	int fd = open(name, O_RDWR);
	struct iovec v = {b, 8};

	for (int i = 0; i < 3; i++) {
		hold(fd, at + 100 * i);
		fill(b, at + 100 * i + 4, 8);
		GIVES(write(fd, b, 8), 8);
		GIVES(writev(fd, &v, 0), 0);
		GIVES(readv(fd, &v, 1), 8);
		CHECK(has(b, at + 100 * i + 12, 8));
		GIVES(lseek(fd, -8, SEEK_CUR), at + 100 * i + 12);
		GIVES(writev(fd, &v, 1), 8);
		GIVES(lseek(fd, 0, SEEK_END), ROW_SIZE);
	}
	hold(fd, at);
	child_receives(fd, at + 4);
}

/* The far side of an exec: PROGRAM receive FD OFFSET checks what arrived; PROGRAM closed FD
 * that nothing did; PROGRAM work NAME OFFSET. */
int main(int argc, char **argv)
{
	const char *setting = getenv("ROW_SETTING");

	if (argc == 4 && !strcmp(argv[1], "receive")) {
		receive(atoi(argv[2]), atol(argv[3]));
		return 0;
	}
	if (argc == 4 && !strcmp(argv[1], "work")) {
		row_work(argv[2], atol(argv[3]));
		return 0;
	}
	if (argc == 3 && !strcmp(argv[1], "closed"))
		return kernel_offset(atoi(argv[2])) == -EBADF ? 0 : 1;
	if (argc > 1)
		return 98;
	return setting && *setting ? row_start(setting) : row_everywhere();
}
#endif

#endif
