/* SPDX-License-Identifier: MIT */
/*
 * Floor 1: the RAW rows.  malloc's start-up, an IFUNC resolver or another library's constructor may
 * come before ours, at a time when looking a symbol up could deadlock: here is the system call.
 */
#include "real.h"
#include "boot.h"

off_t boot_lseek(int fd, off_t off, int whence)
{
	return to_libc(RAW3(SYS_lseek, fd, off, whence));
}
ssize_t boot_read(int fd, void *buf, size_t n)
{
	return to_libc(RAW3(SYS_read, fd, buf, n));
}
ssize_t boot_readv(int fd, const struct iovec *iov, int n)
{
	return to_libc(RAW3(SYS_readv, fd, iov, n));
}
ssize_t boot_preadv2(int fd, const struct iovec *iov, int n, off_t off, int flags)
{
	return to_libc(RAW6(SYS_preadv2, fd, iov, n, off, 0, flags));
}
ssize_t boot_write(int fd, const void *buf, size_t n)
{
	return to_libc(RAW3(SYS_write, fd, buf, n));
}
ssize_t boot_writev(int fd, const struct iovec *iov, int n)
{
	return to_libc(RAW3(SYS_writev, fd, iov, n));
}
ssize_t boot_pwritev2(int fd, const struct iovec *iov, int n, off_t off, int flags)
{
	return to_libc(RAW6(SYS_pwritev2, fd, iov, n, off, 0, flags));
}
int boot_open(const char *path, int flags, ...)
{
	mode_t mode;

	MODE_OF(flags, mode);
	return (int)to_libc(RAW4(SYS_openat, (unsigned)AT_FDCWD, path, flags, mode));
}
int boot_openat(int dir, const char *path, int flags, ...)
{
	mode_t mode;

	MODE_OF(flags, mode);
	return (int)to_libc(RAW4(SYS_openat, (unsigned)dir, path, flags, mode));
}
int boot_creat(const char *path, mode_t mode)
{
	return (int)to_libc(RAW4(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode));
}
int boot_open_by_handle_at(int dir, struct file_handle *handle, int flags)
{
	return (int)to_libc(RAW3(SYS_open_by_handle_at, dir, handle, flags));
}
int boot_memfd_create(const char *name, unsigned flags)
{
	return (int)to_libc(RAW2(SYS_memfd_create, name, flags));
}
int boot_close(int fd)
{
	return (int)to_libc(RAW1(SYS_close, fd));
}
int boot_close_range(unsigned from, unsigned to, int flags)
{
	return (int)to_libc(RAW3(NR_close_range, from, to, flags));
}
int boot_dup(int fd)
{
	return (int)to_libc(RAW1(SYS_dup, fd));
}
int boot_dup2(int fd, int to)
{
#ifdef SYS_dup2
	return (int)to_libc(RAW2(SYS_dup2, fd, to));
#else
	if (fd == to)
		return (int)to_libc(RAW2(SYS_fcntl, fd, F_GETFL)) < 0 ? -1 : fd;
	return (int)to_libc(RAW3(SYS_dup3, fd, to, 0));
#endif
}
int boot_dup3(int fd, int to, int flags)
{
	return (int)to_libc(RAW3(SYS_dup3, fd, to, flags));
}
int boot_fcntl(int fd, int cmd, ...)
{
	va_list ap;
	long arg;

	va_start(ap, cmd);
	arg = va_arg(ap, long);
	va_end(ap);
	return (int)to_libc(RAW3(SYS_fcntl, fd, cmd, arg));
}
int boot_fstat(int fd, struct stat *st)
{
	return (int)to_libc(RAW2(SYS_fstat, fd, st));
}
int boot_fstatat(int dir, const char *path, struct stat *st, int flags)
{
	return (int)to_libc(RAW4(SYS_newfstatat, dir, path, st, flags));
}
int boot_statx(int dir, const char *path, int flags, unsigned mask, struct statx *stx)
{
	return (int)to_libc(RAW6(SYS_statx, dir, path, flags, mask, stx, 0));
}
ssize_t boot_sendfile(int out, int in, off_t *off, size_t n)
{
	return to_libc(RAW4(SYS_sendfile, out, in, off, n));
}
ssize_t boot_splice(int in, off64_t *inoff, int out, off64_t *outoff, size_t n, unsigned flags)
{
	return to_libc(RAW6(SYS_splice, in, inoff, out, outoff, n, flags));
}
ssize_t boot_copy_file_range(int in, off64_t *inoff, int out, off64_t *outoff, size_t n,
			     unsigned flags)
{
	return to_libc(RAW6(SYS_copy_file_range, in, inoff, out, outoff, n, flags));
}
int boot_ioctl(int fd, unsigned long request, ...)
{
	va_list ap;
	long arg;

	va_start(ap, request);
	arg = va_arg(ap, long);
	va_end(ap);
	return (int)to_libc(RAW3(SYS_ioctl, fd, request, arg));
}
int boot_execve(const char *path, char *const argv[], char *const envp[])
{
	return (int)to_libc(RAW3(SYS_execve, path, argv, envp));
}
int boot_execveat(int dir, const char *path, char *const argv[], char *const envp[], int flags)
{
	return (int)to_libc(RAW6(SYS_execveat, dir, path, argv, envp, flags, 0));
}
void boot__exit(int status)
{
	for (;;)
		RAW1(SYS_exit_group, status);
}
ssize_t boot_sendmsg(int fd, const struct msghdr *msg, int flags)
{
	return to_libc(RAW3(SYS_sendmsg, fd, msg, flags));
}
int boot_sendmmsg(int fd, struct mmsghdr *vec, unsigned n, int flags)
{
	return (int)to_libc(RAW4(SYS_sendmmsg, fd, vec, n, flags));
}
int boot_pidfd_getfd(int pidfd, int fd, unsigned flags)
{
	return (int)to_libc(RAW3(NR_pidfd_getfd, pidfd, fd, flags));
}
int boot_unshare(int flags)
{
	return (int)to_libc(RAW1(SYS_unshare, flags));
}
