/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* For libraries other than the measuring one: every inlined event is called. */
#include "location/thread.h"

static struct pomp_thread none = {.mode = POMP_CALLS};
__thread struct pomp_thread *pomp_self = &none;
