/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: lseek on a tracked number. */
#ifndef SEEK_H
#define SEEK_H
#include "fdtab.h"
#include <sys/stat.h>

/* As libc does: the result, or -1 and errno.  A call to it can be the last thing that its caller does. */
long seek(int fd, int64_t off, int whence);

/* What the program's own fstat of fd tells us: saves ours at the first seek. */
void seek_learn(const struct look *l, const struct stat *st);

#endif
