/* SPDX-License-Identifier: MIT */
/* An empty library: what any preload at all costs at a program's start. */
extern const int bench_empty;
const int bench_empty = 0;
