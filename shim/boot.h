/* SPDX-License-Identifier: MIT */
/* Floor 1: what stands in for libc before it has been looked up.  Stubs are in boot.S. */
#ifndef BOOT_H
#define BOOT_H
#define RAW(name) name
#define LIBC(name) name
#define OWN(name) name
#define ENTRY(name, first, kind, since, settings)                                                  \
	extern __typeof__(name) boot_##name __attribute__((visibility("hidden")));
#define ALIAS(name, of)
#include "entries.def"
#undef ENTRY
#undef ALIAS
#undef RAW
#undef LIBC
#undef OWN
#endif
