/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef POMP_OMPT_EVENTS_H
#define POMP_OMPT_EVENTS_H

#include "ompt/ompt_api.h"

#include <stdbool.h>

/* False when the runtime does not tell of every barrier. */
bool pomp_ompt_set_callbacks(ompt_set_callback_t set_callback);

#endif
