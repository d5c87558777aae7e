/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A measuring library that writes down what it is called with. */
#ifndef POMP_LOG_H
#define POMP_LOG_H

#include "export.h"

void pomp_log(const char *event, const OMPRegDescr *d);

#endif
