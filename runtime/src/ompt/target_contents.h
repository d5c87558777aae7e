/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Comparison of transferred data with data that was transferred before, with POMP_TARGET_CONTENT=1.
 *
 * Contents are compared by hashes of 63 bits. */
#ifndef POMP_TARGET_CONTENTS_H
#define POMP_TARGET_CONTENTS_H

#include "ompt/target_rows.h"

#include <stdbool.h>

/* A transfer whose content was not compared yet. */
struct pomp_target_transfer {
  struct pomp_target_row *construct, *place;
  bool is_from;
  const void *host;
  uint64_t bytes, ticks;
};

extern bool pomp_target_compares;

/* Compares the content at the host's address, and books the transfer if it was there before. */
void pomp_target_compare(const struct pomp_target_transfer *transfer);

#endif
