/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "export.h"

__attribute__((weak)) void POMP_Iteration(OMPRegDescr *d, long value) {
  (void)d;
  (void)value;
}
