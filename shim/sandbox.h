/* SPDX-License-Identifier: MIT */
/*
 * Floor 1: a filter of system calls (seccomp) that was there when the program started.  It may
 * refuse, or kill for, calls that the program does not make and this library does.
 */
#ifndef SANDBOX_H
#define SANDBOX_H

#include "ground.h"

/* Asked once, before any other call of ours. */
bool sandbox_is_there(void);
bool sandbox_allows_us(void);

#endif
