/* SPDX-License-Identifier: MIT */
/*
 * Floor 3, policy: of which files may we hold the offset?  Only where "new offset = old offset +
 * result" is true for every read and write, which /proc, /sys and devices do not keep.
 */
#ifndef ADMIT_H
#define ADMIT_H

#include "ground.h"
#include <sys/stat.h>

/*
 * W_REGULAR, W_BLOCK or 0 for the file that st describes.  With ask, fd is asked for its file
 * system the first time that its device is met; without, that is 0 too.
 */
uint64_t admit_judge(int fd, const struct stat *st, bool ask);

#endif
