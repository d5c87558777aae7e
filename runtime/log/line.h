/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef POMP_LOG_LINE_H
#define POMP_LOG_LINE_H

#include <stddef.h>

enum { LONGEST_LINE = 1024 };

/* Whole lines to stderr, or appended to POMP_LOG_FILE. */
void pomp_log_write(const char *text, size_t length);

#endif
