// SPDX-License-Identifier: MIT
/* The terminal, which is to be as it was after every way out. */
#ifndef SEEKLESS_TOP_TERMINAL_H
#define SEEKLESS_TOP_TERMINAL_H

#include <stdbool.h>

/* False after a line that says why not. */
bool terminal_begin(void);
/* Waits for a key, a new size, or until the seconds are over; false: the end is wanted. */
bool terminal_wait(double seconds);
/* Where a signal wanted the end, it is what ends this process. */
void terminal_end(void);

#endif
