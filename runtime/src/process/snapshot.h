/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Incremental profiles: what all locations have measured by a moment, copied into the
 * experiment while they run on. */
#ifndef POMP_SNAPSHOT_H
#define POMP_SNAPSHOT_H

#include "location/format.h"

#include <stdbool.h>

/* Limits the number of snapshots that are kept; those beyond are counted. */
void pomp_snapshots_limit(uint32_t most);

/* Copies; false when there is no room, no measurement, or the thread is copying already. */
bool pomp_snapshot_take(enum pomp_snapshot_cause cause);

/* In a forked child: the parent's are not its own.  The caller holds the init lock. */
void pomp_snapshots_forget(void);

#endif
