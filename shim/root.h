/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: what other processes see of this one (include/seekless.h). */
#ifndef ROOT_H
#define ROOT_H

void root_start(void);

#endif
