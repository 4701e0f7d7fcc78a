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

/* What older libcs lack; a test of these skips where there is none. */
int close_range(unsigned, unsigned, int) __attribute__((weak));
int execveat(int, const char *, char *const[], char *const[], int) __attribute__((weak));
pid_t _Fork(void) __attribute__((weak));
void closefrom(int) __attribute__((weak));

#ifndef __clang__ /* bad buffers and counts are what these tests are for */
#pragma GCC diagnostic ignored "-Wpragmas" /* not every gcc knows all of these */
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

#include "row/via.h"

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

#include "row/settings.h"

#endif
