/* SPDX-License-Identifier: MIT */
/* Floor 1, libc: what stands in for functions that this libc does not have. */
#ifndef MISSING_H
#define MISSING_H
#include "real.h"

/* Nothing can; nobody that was linked with this libc can have called. */
long missing(void);

/* OWN rows. */
#define RAW(name)
#define LIBC(name)
#define OWN(name) extern __typeof__(name) own_##name;
#define ENTRY(name, first, kind, since, settings) first(name)
#define ALIAS(name, of)
#include "entries.def"
#undef ENTRY
#undef ALIAS
#undef RAW
#undef LIBC
#undef OWN
#endif
