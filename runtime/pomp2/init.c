/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The program's part of POMP2.  An object of its own, which the linker leaves out of a program with
 * objects from OPARI2: these bring functions of their own. */
#include "pomp2.h"
#include "region.h"

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void POMP2_Init_regions(void) { pomp2_assign_handles(false); }

EXPORTED size_t POMP2_Get_num_regions(void) { return pomp2_count_handles(false); }

EXPORTED const char *POMP2_Get_opari2_version(void) { return "2.0"; }
