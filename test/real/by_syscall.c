/* SPDX-License-Identifier: MIT */
/* by_syscall.c - A library with calls of its own, each made by syscall(), as beside-syscall preloads it. */
// flags: -shared -fPIC
#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

ssize_t read(int fd, void *buf, size_t n)
{
	return syscall(SYS_read, fd, buf, n);
}
ssize_t write(int fd, const void *buf, size_t n)
{
	return syscall(SYS_write, fd, buf, n);
}
ssize_t readv(int fd, const struct iovec *v, int n)
{
	return syscall(SYS_readv, fd, v, n);
}
ssize_t writev(int fd, const struct iovec *v, int n)
{
	return syscall(SYS_writev, fd, v, n);
}
off_t lseek(int fd, off_t off, int whence)
{
	return syscall(SYS_lseek, fd, off, whence);
}
off_t lseek64(int fd, off_t off, int whence)
{
	return syscall(SYS_lseek, fd, off, whence);
}
int close(int fd)
{
	return (int)syscall(SYS_close, fd);
}
int dup(int fd)
{
	return (int)syscall(SYS_dup, fd);
}
int dup2(int fd, int to)
{
	return fd == to ? fcntl(fd, F_GETFL) < 0 ? -1 : fd : (int)syscall(SYS_dup3, fd, to, 0);
}
int fcntl(int fd, int cmd, ...)
{
	va_list ap;
	long arg;

	va_start(ap, cmd);
	arg = va_arg(ap, long);
	va_end(ap);
	return (int)syscall(SYS_fcntl, fd, cmd, arg);
}
int fcntl64(int fd, int cmd, ...)
{
	va_list ap;
	long arg;

	va_start(ap, cmd);
	arg = va_arg(ap, long);
	va_end(ap);
	return (int)syscall(SYS_fcntl, fd, cmd, arg);
}
