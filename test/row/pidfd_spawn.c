/* SPDX-License-Identifier: MIT */
#define SPAWN "pidfd_spawn"
#include "pidfd_spawn.h"
