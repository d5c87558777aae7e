/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Implied barriers and lock waits, as the OpenMP runtime tells of them (OMPT).
 *
 * What and how often the source side says: its events open and close the frames.  In these
 * frames the runtime's events begin and end the phases.  A construct that is compiled for
 * that has the flag POMP_OMPT. */
#ifndef POMP_OMPT_H
#define POMP_OMPT_H

#include "ompt_api.h"

#include <stdbool.h>

/* A construct of the program is compiled for it: before the OpenMP runtime starts. */
void pomp_ompt_want(void);

/* What makes this library the tool of a runtime of that name, if a construct wants it and no
 * other tool is there; else NULL. */
ompt_start_tool_result_t *pomp_ompt_tool(const char *runtime);

/* Whether the runtime has asked for a tool, and found no other than ours, or none. */
bool pomp_ompt_is_alone(void);

/* The runtime that tells, by its own name; NULL when none does. */
const char *pomp_ompt_runtime(void);

#endif
