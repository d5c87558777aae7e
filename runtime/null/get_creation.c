/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "export.h"

#include <stddef.h>

__attribute__((weak)) void *POMP_Get_creation(void) { return NULL; }
