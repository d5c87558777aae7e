/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the file says of the process itself. */
#ifndef POMP_DESCRIBE_H
#define POMP_DESCRIBE_H

#include <stdint.h>

/* Into the header: now, and who we are. */
void pomp_describe_start(int64_t forked_from);

/* The text records; `trace` tells how the process records events, NULL if it does not. */
void pomp_describe_process(const char *trace);

#endif
