/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the events go that are inlined in a program and have to take the long way: to the
 * POMP functions of the library that the program is linked with, whosever it is. */
#ifndef POMP_CALLS_H
#define POMP_CALLS_H

#include "export.h"
#include "layout.h"

#include <stdbool.h>
#include <stdint.h>

struct pomp_thread;

enum pomp_call {
#define HOT(name, way) POMP_CALL_##name,
#define SHORT(name, way)
#include "hot.def"
#undef SHORT
#undef HOT
};

void pomp_call(unsigned event, OMPRegDescr *d) __asm__(POMP_LAYOUT("pomp_call"))
    __attribute__((cold, nothrow, visibility("default")));

/* An event that was booked in the program goes into the trace: its enum pomp_trace_op. */
void pomp_record(struct pomp_thread *t, unsigned op, uint32_t path,
                 uint64_t now) __asm__(POMP_LAYOUT("pomp_record"))
    __attribute__((nothrow, visibility("default")));

/* Whether any event came by pomp_call. */
bool pomp_calls_are_inlined(void);

#endif
