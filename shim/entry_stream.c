/* SPDX-License-Identifier: MIT */
/* Floor 5, entry points: numbers that libc uses by itself, for a while or for one call. */
#include "real.h"
#include "stream.h"
#include <string.h>

EXPORT FILE *fopen(const char *path, const char *mode)
{
	struct gate_seen seen = gate_seen();
	FILE *f = real_fopen(path, mode);

	/* Mode "a" seeks, inside libc. */
	if (!f || !hot.size || strchr(mode, 'a') ||
	    !stream_is_filebufs(__builtin_return_address(0)))
		return stream_opened(f);
	fdtab_born(fileno(f), strchr(mode, 'e') ? O_CLOEXEC : 0, seen);
	return f;
}
ALIAS_OF(fopen64, fopen);
ALIAS_OF(_IO_fopen, fopen);

EXPORT FILE *tmpfile(void)
{
	return stream_opened(real_tmpfile());
}
ALIAS_OF(tmpfile64, tmpfile);

/* Mode "a" sets O_APPEND and seeks, inside libc; every stream moves the offset from now on. */
EXPORT FILE *fdopen(int fd, const char *mode)
{
	fd_hand_back(fd, R_stream, true);
	return stream_opened(real_fdopen(fd, mode));
}
ALIAS_OF(_IO_fdopen, fdopen);

static FILE *reopened(int before, FILE *f)
{
	stream_opened(f);
	stream_closed(before);
	return f;
}
EXPORT FILE *freopen(const char *path, const char *mode, FILE *f)
{
	int before = fileno(f);

	return reopened(before, real_freopen(path, mode, f));
}
EXPORT FILE *freopen64(const char *path, const char *mode, FILE *f)
{
	int before = fileno(f);

	return reopened(before, real_freopen64(path, mode, f));
}

/* A number that is followed is a filebuf's; then this is a close. */
EXPORT int fclose(FILE *f)
{
	int fd = fileno(f), r;
	uintptr_t ticket = 0;
	bool followed = fd_is_tracked(fd);

	if (followed && !tls.vfork_depth)
		fdtab_close_begin(fd, &ticket);
	r = real_fclose(f);
	if (ticket)
		fdtab_close_end(fd, ticket);
	else if (followed && tls.vfork_depth)
		fd_set_changed(fd);
	else
		stream_closed(fd);
	return r;
}
ALIAS_OF(_IO_fclose, fclose);

EXPORT int pclose(FILE *f)
{
	int fd = fileno(f);
	int r = real_pclose(f);

	stream_closed(fd);
	return r;
}

EXPORT DIR *fdopendir(int fd)
{
	DIR *d;

	fd_hand_back(fd, R_stream, true);
	d = real_fdopendir(fd);
	if (d && !tls.vfork_depth)
		fdtab_stream(fd);
	return d;
}
EXPORT int closedir(DIR *d)
{
	int fd = dirfd(d);
	int r = real_closedir(d);

	stream_closed(fd);
	return r;
}

/* stdio_filebuf::file(): from now on the program may use the stream itself. */
EXPORT FILE *_ZNSt12__basic_fileIcE4fileEv(void *basic_file)
{
	FILE *(*behind)(void *) =
		real_behind("_ZNSt12__basic_fileIcE4fileEv", __builtin_return_address(0));
	FILE *f = behind ? behind(basic_file) : NULL;
	int fd = f ? fileno(f) : -1;

	if (fd_is_tracked(fd)) {
		fd_hand_back(fd, R_stream, true);
		stream_opened(f);
	}
	return f;
}

/* ---- for one call ---- */

EXPORT int vdprintf(int fd, const char *format, va_list ap)
{
	struct ofd *held;
	int r;

	if (fd_kernel_begin(fd, R_print, &held))
		return (int)to_libc(-EBADF);
	r = PASS(vdprintf)(fd, format, ap);
	fd_kernel_end(held);
	return r;
}
EXPORT int __vdprintf_chk(int fd, int flag, const char *format, va_list ap)
{
	struct ofd *held;
	int r;

	if (fd_kernel_begin(fd, R_print, &held))
		return (int)to_libc(-EBADF);
	r = PASS(__vdprintf_chk)(fd, flag, format, ap);
	fd_kernel_end(held);
	return r;
}
EXPORT int dprintf(int fd, const char *format, ...)
{
	va_list ap;
	int r;

	va_start(ap, format);
	r = vdprintf(fd, format, ap);
	va_end(ap);
	return r;
}
EXPORT int __dprintf_chk(int fd, int flag, const char *format, ...)
{
	va_list ap;
	int r;

	va_start(ap, format);
	r = __vdprintf_chk(fd, flag, format, ap);
	va_end(ap);
	return r;
}

EXPORT void backtrace_symbols_fd(void *const *frames, int n, int fd)
{
	struct ofd *held;

	if (fd_kernel_begin(fd, R_print, &held))
		return;
	PASS(backtrace_symbols_fd)(frames, n, fd);
	fd_kernel_end(held);
}
ALIAS_OF(__backtrace_symbols_fd, backtrace_symbols_fd);

EXPORT int eventfd_read(int fd, eventfd_t *value)
{
	struct ofd *held;
	int r;

	if (fd_kernel_begin(fd, R_print, &held))
		return (int)to_libc(-EBADF);
	r = PASS(eventfd_read)(fd, value);
	fd_kernel_end(held);
	return r;
}
EXPORT int eventfd_write(int fd, eventfd_t value)
{
	struct ofd *held;
	int r;

	if (fd_kernel_begin(fd, R_print, &held))
		return (int)to_libc(-EBADF);
	r = PASS(eventfd_write)(fd, value);
	fd_kernel_end(held);
	return r;
}
