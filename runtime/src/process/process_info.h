/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The experiment's records about the process itself. */
#ifndef POMP_PROCESS_INFO_H
#define POMP_PROCESS_INFO_H

#include <stdint.h>

/* Into the header: now, and who we are. */
void pomp_process_info_start(int64_t forked_from);

/* The text records; `trace` tells how the process records events, NULL if it does not. */
void pomp_process_info_write(const char *trace);

/* Those on what the process used since it was started: time of the operating system, and memory. */
void pomp_process_info_end(void);

#endif
