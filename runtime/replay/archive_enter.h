/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Entering a region of an OTF2 archive: the frames that it opens. */
#ifndef POMP_REPLAY_ARCHIVE_ENTER_H
#define POMP_REPLAY_ARCHIVE_ENTER_H

#include "archive_frames.h"

/* Returns an enum pomp_understand_error. */
int pomp_enter(Run *run, int64_t plan);

#endif
