/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Call paths of an OTF2 archive, found or made. */
#ifndef POMP_REPLAY_CALLPATHS_H
#define POMP_REPLAY_CALLPATHS_H

#include "archive.h"

#include <stdbool.h>

/* 0 where they are too many. */
unsigned pomp_path_below(struct pomp_callpaths *paths, unsigned above, int64_t region, bool task);

#endif
