/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the file says of the process itself. */
#ifndef POMP_DESCRIBE_H
#define POMP_DESCRIBE_H

#include <stdbool.h>
#include <stdint.h>

/* Into the header: now, and who we are. */
void pomp_describe_start(int64_t forked_from);

/* The text records; `traces` is whether the process records events. */
void pomp_describe_process(bool traces);

#endif
