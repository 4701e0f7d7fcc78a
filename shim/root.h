/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: what other processes see of this one (include/seekless.h). */
#ifndef ROOT_H
#define ROOT_H

#include <seekless.h>

extern struct seekless_root seekless_root;

void root_start(void);
void root_reset_in_child(void);

#endif
