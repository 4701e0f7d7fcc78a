/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: the counters in a file, SEEKLESS_STATS=FOLDER (include/seekless.h). */
#ifndef IMAGE_H
#define IMAGE_H

#include "count.h"

/* Room for the first *n threads' blocks; NULL: they are not to be in a file, or cannot. */
struct block *image_start(uint32_t *n);
/* After root_start. */
void image_fill(void);
void image_reset_in_child(void);
void image_end(void); /* the process ends now */

#endif
