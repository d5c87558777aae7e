/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Implied barriers and lock waits, as the OpenMP runtime reports them (OMPT), and
 * target constructs.
 *
 * The events in the source open and close the frames, so they decide on regions and counts.  The
 * runtime's events only begin and end phases in these frames.  A construct that is compiled for
 * OMPT has the flag POMP_OMPT. */
#ifndef POMP_OMPT_H
#define POMP_OMPT_H

#include "ompt/ompt_api.h"

#include <stdbool.h>

/* Returns what makes this library the tool of the runtime, if a construct wants OMPT or a program
 * offloads, and there is no other tool; otherwise NULL. */
ompt_start_tool_result_t *pomp_ompt_tool(const char *runtime);

/* True if the runtime has asked for a tool and has either this library or none. */
bool pomp_ompt_is_alone(void);

/* The runtime that tells, by its own name; NULL when none does. */
const char *pomp_ompt_runtime(void);

#endif
