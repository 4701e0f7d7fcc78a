// SPDX-License-Identifier: MIT
/* Text that comes from elsewhere may hold anything; it is not to be a command to a terminal. */
#ifndef SEEKLESS_PRINTABLE_H
#define SEEKLESS_PRINTABLE_H

#include <stddef.h>

/* How many bytes at S are one printable character of UTF-8 (RFC 3629); 0: none. */
int utf8_length(const char *s);

/* Makes '?' of each byte that is part of none. */
void make_printable(char *s);

/*
 * Writes to TO, of SIZE bytes, what of TEXT fits into COLUMNS of a terminal, blanks behind it (before
 * it, if COLUMNS is negative).  Characters that the locale does not have become '?'.
 */
void fit_columns(char *to, size_t size, const char *text, int columns);

#endif
