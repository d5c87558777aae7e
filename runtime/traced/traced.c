/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "settings.h"

const char pomp_traced = 1;
