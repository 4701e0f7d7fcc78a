/* SPDX-License-Identifier: MIT */
/* What lies in the folder of a place. */
#ifndef DATA_H
#define DATA_H

#define HOT_SIZE (64UL << 20)
#define HOT_BLOCK (8UL << 20) /* the largest transfer */

#define SMALL_FILES 10000
#define SMALL_PER_FOLDER 500
#define SMALL_SIZE 1024
#define SMALL_PATH "%s/%d/%d"

#endif
