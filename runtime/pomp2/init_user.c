/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The same for user regions. */
#include "pomp2.h"
#include "region.h"

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void POMP2_USER_Init_regions(void) { pomp2_assign_handles(true); }

EXPORTED size_t POMP2_USER_Get_num_regions(void) { return pomp2_count_handles(true); }
