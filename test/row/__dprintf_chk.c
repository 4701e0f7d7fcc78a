/* SPDX-License-Identifier: MIT */
int __dprintf_chk(int, int, const char *, ...);
#define PRINT(fd, ...) __dprintf_chk(fd, 1, __VA_ARGS__)
#include "print.h"
