/* SPDX-License-Identifier: MIT */
#define SPAWN "pidfd_spawnp"
#include "pidfd_spawn.h"
