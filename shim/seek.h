/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: lseek on a tracked number. */
#ifndef SEEK_H
#define SEEK_H
#include "fdtab.h"
#include <sys/stat.h>

/* The kernel's result, or -errno. */
long seek(int fd, int64_t off, int whence);

/* What the program's own fstat of fd tells us: saves ours at the first seek. */
void seek_learn(const struct look *l, const struct stat *st);

#endif
