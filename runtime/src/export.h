/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The POMP functions are what a library exports; everything else is hidden. */
#ifndef POMP_EXPORT_H
#define POMP_EXPORT_H

#pragma GCC visibility push(default)
#include "pomp.h"
#pragma GCC visibility pop

#endif
