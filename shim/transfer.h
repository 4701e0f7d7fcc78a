/* SPDX-License-Identifier: MIT */
/*
 * Floor 4, operations: read and write at the offset.  Each returns as libc does, so
 * that the call can be the last thing that an entry point does: every frame that is there during a
 * system call costs a mispredicted return after it.
 */
#ifndef TRANSFER_H
#define TRANSFER_H
#include "fdtab.h"

struct iovec;
long transfer_read(int fd, void *buf, size_t n);
long transfer_readv(int fd, const struct iovec *iov, int n);
long transfer_preadv2(int fd, const struct iovec *iov, int n, int flags); /* at the offset */
long transfer_write(int fd, const void *buf, size_t n);
long transfer_writev(int fd, const struct iovec *iov, int n);
long transfer_pwritev2(int fd, const struct iovec *iov, int n, int flags);

#endif
