/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "state.h"

_Atomic int pomp_state = POMP_NOT_STARTED;
_Atomic bool pomp_muted;
bool pomp_traces;
uint32_t pomp_metric_count;
bool pomp_ompt_wanted;
bool pomp_target_wanted;
