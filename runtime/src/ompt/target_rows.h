/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sums of what the OpenMP runtime reports of target constructs, by call path, device and address.
 *
 * The rows are the process's.  A construct's task may run on any thread, so threads add to a row at
 * the same time. */
#ifndef POMP_TARGET_ROWS_H
#define POMP_TARGET_ROWS_H

#include "location/format.h"

#include <stddef.h>

/* Addresses of a call path on a device beyond these share a row. */
#define POMP_MOST_TARGET_PLACES 64u
#define POMP_OTHER_PLACES 1u

/* Addresses of all devices whose contents are compared. */
#define POMP_MOST_TARGET_CONTENTS 4096u

/* The row of a call path on a device; NULL if there is no room. */
struct pomp_target_row *pomp_target_row(uint32_t path, int device);

/* The row of the data at an address of the host, of a construct's row. */
struct pomp_target_row *pomp_target_place(struct pomp_target_row *construct, uint64_t address);

/* The row of a device and an address that keeps the content of the newest transfer; NULL if there
 * is no room. */
struct pomp_target_row *pomp_target_content(int device, uint64_t address);

/* All rows, for a caller that holds the init lock: their number, and the row in each slot, or NULL
 * for one without sums. */
size_t pomp_target_row_count(void);
size_t pomp_target_slots(void);
const struct pomp_target_row *pomp_target_at(size_t slot);

static inline void pomp_target_add(struct pomp_target_row *row, enum pomp_target_column column,
                                   uint64_t value) {
  __atomic_fetch_add(&row->values[column], value, __ATOMIC_RELAXED);
}

#endif
