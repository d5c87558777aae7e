/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "calls.h"

static void (*const calls[])(OMPRegDescr *) = {
#define HOT(name, way) POMP_##name,
#define SHORT(name, way)
#include "hot.def"
#undef SHORT
#undef HOT
};

void pomp_call(unsigned event, OMPRegDescr *d) { calls[event](d); }
