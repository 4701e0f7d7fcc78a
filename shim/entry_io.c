/* SPDX-License-Identifier: MIT */
/* Floor 5, entry points: lseek, read and write at the offset, and calls that use it once. */
#include "ahead.h"
#include "real.h"
#include "seek.h"
#include "transfer.h"
#include "usual.h"
#include <linux/fs.h>

OFTEN EXPORT off_t lseek(int fd, off_t off, int whence)
{
	uintptr_t slot = fd_slot(fd);
	struct look l;
	long r;

	if (unlikely(!slot_is_tracked(slot)))
		return HOOK("late", fd), PASS(lseek)(fd, off, whence);
	if (likely(look_usual(fd, slot, &l)) &&
	    likely((r = seek_usual(&l, off, whence)) != LOOK_AGAIN))
		return r;
	return seek(fd, off, whence);
}
ALIAS_OF(lseek64, lseek);
ALIAS_OF(__lseek, lseek);
ALIAS_OF(llseek, lseek);

OFTEN EXPORT ssize_t read(int fd, void *buf, size_t n)
{
	uintptr_t slot = fd_slot(fd);
	struct look l;
	long r;

	if (unlikely(!slot_is_tracked(slot)))
		return HOOK("late", fd), PASS(read)(fd, buf, n);
	if (unlikely(hot.ahead))
		return ahead_read(fd, buf, n);
	if (likely(look_usual(fd, slot, &l)) &&
	    (r = pass_usual(&l, SYS_read, buf, n, C_pass_read)) != LOOK_AGAIN)
		return r;
	return transfer_read(fd, buf, n);
}
ALIAS_OF(__read, read);

EXPORT ssize_t __read_chk(int fd, void *buf, size_t n, size_t size)
{
	if (n > size)
		__chk_fail();
	return read(fd, buf, n);
}

OFTEN EXPORT ssize_t readv(int fd, const struct iovec *iov, int n)
{
	if (!fd_is_tracked(fd))
		return PASS(readv)(fd, iov, n);
	if (unlikely(hot.ahead))
		return ahead_readv(fd, iov, n);
	return transfer_readv(fd, iov, n);
}

OFTEN EXPORT ssize_t write(int fd, const void *buf, size_t n)
{
	uintptr_t slot = fd_slot(fd);
	struct look l;
	long r;

	if (unlikely(!slot_is_tracked(slot)))
		return HOOK("late", fd), PASS(write)(fd, buf, n);
	if (likely(look_usual(fd, slot, &l)) &&
	    (r = pass_usual(&l, SYS_write, buf, n, C_pass_write)) != LOOK_AGAIN)
		return r;
	return transfer_write(fd, buf, n);
}
ALIAS_OF(__write, write);

OFTEN EXPORT ssize_t writev(int fd, const struct iovec *iov, int n)
{
	if (!fd_is_tracked(fd))
		return PASS(writev)(fd, iov, n);
	return transfer_writev(fd, iov, n);
}

/*
 * Flags that mean the same at an offset of ours.  RWF_APPEND, RWF_NOAPPEND and unknown ones do not.
 */
#define RWF_SAME (RWF_HIPRI | RWF_DSYNC | RWF_SYNC | RWF_NOWAIT)

/* Only offset -1 means f_pos. */
EXPORT ssize_t preadv2(int fd, const struct iovec *iov, int n, off_t off, int flags)
{
	struct ofd *held;
	ssize_t r;

	if (off != -1 || !fd_is_tracked(fd))
		return PASS(preadv2)(fd, iov, n, off, flags);
	if (!(flags & ~RWF_SAME))
		return transfer_preadv2(fd, iov, n, flags);
	if (fd_kernel_begin(fd, R_rwf, &held))
		return to_libc(-EBADF);
	r = PASS(preadv2)(fd, iov, n, off, flags);
	fd_kernel_end(held);
	return r;
}
ALIAS_OF(preadv64v2, preadv2);

EXPORT ssize_t pwritev2(int fd, const struct iovec *iov, int n, off_t off, int flags)
{
	struct ofd *held;
	ssize_t r;

	if (off != -1 || !fd_is_tracked(fd))
		return PASS(pwritev2)(fd, iov, n, off, flags);
	if (!(flags & ~RWF_SAME))
		return transfer_pwritev2(fd, iov, n, flags);
	if (fd_kernel_begin(fd, R_rwf, &held))
		return to_libc(-EBADF);
	r = PASS(pwritev2)(fd, iov, n, off, flags);
	fd_kernel_end(held);
	return r;
}
ALIAS_OF(pwritev64v2, pwritev2);

/* ---- calls that use the offset once ---- */

/* Both ends of a copy; an end that names an offset of its own is left alone. */
struct ends {
	struct ofd *in, *out;
};
static int ends_begin(int in, const void *inoff, int out, const void *outoff, struct ends *e)
{
	*e = (struct ends){NULL, NULL};
	if (!inoff && fd_kernel_begin(in, R_copy, &e->in))
		return -EBADF;
	if (!outoff && fd_kernel_begin(out, R_copy, &e->out)) {
		fd_kernel_end(e->in);
		return -EBADF;
	}
	return 0;
}
static void ends_end(const struct ends *e)
{
	fd_kernel_end(e->out);
	fd_kernel_end(e->in);
}

EXPORT ssize_t sendfile(int out, int in, off_t *off, size_t n)
{
	struct ends e;
	ssize_t r;

	if (!fd_is_tracked(in) && !fd_is_tracked(out))
		return PASS(sendfile)(out, in, off, n);
	if (ends_begin(in, off, out, NULL, &e))
		return to_libc(-EBADF);
	r = PASS(sendfile)(out, in, off, n);
	ends_end(&e);
	return r;
}
ALIAS_OF(sendfile64, sendfile);

EXPORT ssize_t splice(int in, off64_t *inoff, int out, off64_t *outoff, size_t n, unsigned flags)
{
	struct ends e;
	ssize_t r;

	if (!fd_is_tracked(in) && !fd_is_tracked(out))
		return PASS(splice)(in, inoff, out, outoff, n, flags);
	if (ends_begin(in, inoff, out, outoff, &e))
		return to_libc(-EBADF);
	r = PASS(splice)(in, inoff, out, outoff, n, flags);
	ends_end(&e);
	return r;
}

EXPORT ssize_t copy_file_range(int in, off64_t *inoff, int out, off64_t *outoff, size_t n,
			       unsigned flags)
{
	struct ends e;
	ssize_t r;

	if (!fd_is_tracked(in) && !fd_is_tracked(out))
		return PASS(copy_file_range)(in, inoff, out, outoff, n, flags);
	if (ends_begin(in, inoff, out, outoff, &e))
		return to_libc(-EBADF);
	r = PASS(copy_file_range)(in, inoff, out, outoff, n, flags);
	ends_end(&e);
	return r;
}

EXPORT int lockf(int fd, int cmd, off_t len)
{
	struct ofd *held;
	int r;

	if (!fd_is_tracked(fd))
		return PASS(lockf)(fd, cmd, len);
	if (fd_kernel_begin(fd, R_lock, &held))
		return (int)to_libc(-EBADF);
	r = PASS(lockf)(fd, cmd, len);
	fd_kernel_end(held);
	return r;
}
ALIAS_OF(lockf64, lockf);

/* FIONREAD of a file is its size less f_pos; the XFS calls take a struct flock with l_whence. */
static bool uses_offset(unsigned long request)
{
	unsigned nr = _IOC_NR(request);

	if (request == FIONREAD)
		return true;
	return _IOC_TYPE(request) == 'X' &&
	       (nr == 36 || nr == 37 || (nr >= 40 && nr <= 43) || nr == 57);
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
	struct ofd *held;
	va_list ap;
	void *arg;
	int r;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (!fd_is_tracked(fd) || !uses_offset(request))
		return PASS(ioctl)(fd, request, arg);
	if (fd_kernel_begin(fd, R_ioctl, &held))
		return (int)to_libc(-EBADF);
	r = PASS(ioctl)(fd, request, arg);
	fd_kernel_end(held);
	return r;
}
