/* SPDX-License-Identifier: MIT */
// flags: -shared -fPIC
/*
 * A library to be preloaded beside ours, of the kind of nocache: it wraps some calls, passes
 * them on to whoever is next, and tells the kernel what to keep in memory.  At its end it
 * appends how often it was called to the file COUNTING.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned opens, closes, reads, writes;

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define MODE(flags, mode)                                                                      \
	do {                                                                                   \
		va_list ap;                                                                    \
		va_start(ap, flags);                                                           \
		mode = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE                   \
			       ? va_arg(ap, mode_t)                                            \
			       : 0;                                                            \
		va_end(ap);                                                                    \
	} while (0)

static int opened(int fd)
{
	opens++;
	if (fd >= 0)
		posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	return fd;
}

int open(const char *path, int flags, ...)
{
	mode_t mode;

	MODE(flags, mode);
	return opened(NEXT(open)(path, flags, mode));
}

int open64(const char *path, int flags, ...)
{
	mode_t mode;

	MODE(flags, mode);
	return opened(NEXT(open64)(path, flags, mode));
}

int close(int fd)
{
	closes++;
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return NEXT(close)(fd);
}

ssize_t read(int fd, void *buf, size_t n)
{
	reads++;
	return NEXT(read)(fd, buf, n);
}

ssize_t pread64(int fd, void *buf, size_t n, off_t off)
{
	reads++;
	return NEXT(pread64)(fd, buf, n, off);
}

ssize_t write(int fd, const void *buf, size_t n)
{
	writes++;
	return NEXT(write)(fd, buf, n);
}

__attribute__((destructor)) static void report(void)
{
	const char *path = getenv("COUNTING");
	FILE *out = path ? fopen(path, "ae") : NULL;

	if (!out)
		return;
	fprintf(out, "opens %u closes %u reads %u writes %u\n", opens, closes, reads, writes);
	fclose(out);
}
