/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls from inlined events that take the long way: to the POMP functions of the library that the
 * program is linked with, whichever library that is. */
#ifndef POMP_CALLS_H
#define POMP_CALLS_H

#include "export.h"
#include "layout.h"

#include <stdbool.h>
#include <stdint.h>

struct pomp_thread;

enum pomp_call {
#define INLINED(name, fast, slow) POMP_CALL_##name,
#include "events/events.def"
};

void pomp_call(unsigned event, OMPRegDescr *d) __asm__(POMP_LAYOUT("pomp_call"))
    __attribute__((cold, nothrow, visibility("default")));

/* An event that was booked in the program goes into the trace: its enum pomp_trace_op. */
void pomp_record(struct pomp_thread *t, unsigned op, uint32_t path,
                 uint64_t now) __asm__(POMP_LAYOUT("pomp_record"))
    __attribute__((nothrow, visibility("default")));

/* True if an event came by pomp_call. */
bool pomp_calls_are_inlined(void);

#endif
