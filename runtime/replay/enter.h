/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A region of an OTF2 archive that is entered: what is opened then. */
#ifndef POMP_REPLAY_ENTER_H
#define POMP_REPLAY_ENTER_H

#include "open.h"

/* Returns an enum pomp_understand_error. */
int pomp_enter(Run *run, int64_t plan);

#endif
