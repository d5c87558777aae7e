/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Target constructs, as the OpenMP runtime reports them: launches, transfers, allocations. */
#ifndef POMP_TARGET_EVENTS_H
#define POMP_TARGET_EVENTS_H

#include "ompt/ompt_api.h"

#include <stdbool.h>

/* False when the runtime does not know these callbacks. */
bool pomp_target_set_callbacks(ompt_set_callback_t set_callback, const char *runtime);

/* True while the calling thread is launching a kernel.  On a device that is the host itself it runs
 * the kernel. */
bool pomp_target_is_in_kernel(void);

/* The callback of launches, for a program without target constructs of its own. */
void pomp_target_on_submit(int endpoint, ompt_data_t *target, uint64_t *operation, unsigned teams);

#endif
