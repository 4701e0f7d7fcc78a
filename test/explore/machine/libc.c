/* SPDX-License-Identifier: MIT */
/* The explorer's libc, in the place of shim/real.c: what the library passes on goes to kernel.c. */
#include "explore.h"
#include "config.h"
#include "fdtab.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

struct config config = {.on = true, .size = SIZE_FSTAT};

const char libc_is_single_threaded = 1;
bool real_is_libcs = true;
void (*real_testcancel)(void);
void *real_pread, *real_preadv;

__attribute__((used)) static void not_here(void) __asm__("not_here");
static void not_here(void)
{
	fputs("a function of libc that the explorer does not have\n", stderr);
	abort();
}
/* With several threads the library is as if called by syscall(), and so calls boot_NAME. */
#define ENTRY(name, first, kind, since, settings)                                                  \
	void *real_##name = (void *)not_here;                                                      \
	__asm__(".text\n\t.globl boot_" #name "\nboot_" #name ":\n\tjmp *real_" #name "(%rip)");
#define ALIAS(name, of)
#include "entries.def"

/*
 * A call on a number that is a stranger still, though its open or dup2 has been made and has not
 * returned: its program does not own the number yet, and nobody counts such a call.
 */
static void note_young(long fd)
{
	if (kernel_has_number(fd) && !hot.slot[fd] && kernel.is_young[fd - FIRST_FD])
		kernel.stray = true;
}
/* And one that passed as a stranger's before, and comes late. */
static void note_stray(long fd)
{
	uintptr_t s = kernel_has_number(fd) ? hot.slot[fd] : 0;

	note_young(fd);
	if (slot_is_tracked(s) && word_state(slot_ofd(s)->word) != GONE)
		kernel.stray = true;
}

static int libcs_dup2(int fd, int to)
{
	long r = RAW2(SYS_dup2, fd, to);

	note_young(fd);
	return (int)to_libc(r);
}
static int libcs_dup(int fd)
{
	long r = RAW1(SYS_dup, fd);

	note_young(fd);
	return (int)to_libc(r);
}
static int libcs_fcntl(int fd, int cmd, long arg)
{
	return (int)to_libc(cmd == F_SETFL ? RAW2(NR_F_APPEND, fd, arg) : RAW2(SYS_fcntl, fd, cmd));
}
static int libcs_fstat(int fd, struct stat *st)
{
	return (int)to_libc(RAW2(SYS_fstat, fd, st));
}
static ssize_t libcs_sendfile(int out, int in, off_t *off, size_t n)
{
	bool passed = hot.slot[in] == 0;
	long r = RAW3(SYS_read, in, kernel_sent[out - SENT_FD], n);

	(void)off;
	if (passed)
		note_stray(in);
	return to_libc(r);
}
static ssize_t libcs_read(int fd, void *buf, size_t n)
{
	long r = RAW3(SYS_read, fd, buf, n);

	note_stray(fd);
	return to_libc(r);
}
static ssize_t libcs_write(int fd, const void *buf, size_t n)
{
	long r = RAW3(SYS_write, fd, buf, n);

	note_stray(fd);
	return to_libc(r);
}
static off_t libcs_lseek(int fd, off_t off, int whence)
{
	long r = RAW3(SYS_lseek, fd, off, whence);

	note_stray(fd);
	return to_libc(r);
}
static int libcs_close(int fd)
{
	return (int)to_libc(RAW1(SYS_close, fd));
}

__attribute__((constructor)) static void libc_start(void)
{
	real_dup2 = (void *)libcs_dup2;
	real_dup = (void *)libcs_dup;
	real_fcntl = (void *)libcs_fcntl;
	real_fstat = (void *)libcs_fstat;
	real_sendfile = (void *)libcs_sendfile;
	real_read = (void *)libcs_read;
	real_write = (void *)libcs_write;
	real_lseek = (void *)libcs_lseek;
	real_close = (void *)libcs_close;
}

/* What belongs to parts that are not linked here. */
#define NOT_LINKED(name)                                                                           \
	void name(void);                                                                           \
	void name(void)                                                                            \
	{                                                                                          \
	}
NOT_LINKED(report_reset_in_child)
NOT_LINKED(report_before_end)
