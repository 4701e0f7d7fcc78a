/* SPDX-License-Identifier: MIT */
/* via.h - The setting "syscall": what has a system call of its own is called by syscall(). */
#ifndef SEEKLESS_TEST_VIA_H
#define SEEKLESS_TEST_VIA_H

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

#endif
