/* SPDX-License-Identifier: MIT */
/* Floor 2, state: one object, so that its parts stay together. */
#include "hot.h"

struct hot hot __attribute__((aligned(4096)));
