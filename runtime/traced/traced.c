/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/settings.h"

const char pomp_traced = 1;
