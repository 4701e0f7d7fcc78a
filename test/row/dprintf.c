/* SPDX-License-Identifier: MIT */
#define PRINT dprintf
#include "print.h"
