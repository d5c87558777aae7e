/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "events/kokkos.h"
#include "location/thread.h"
#include "process/process.h"
#include "process/snapshot.h"
#include "profile/region.h"
#include "state.h"

void POMP_Register(OMPRegDescr **begin, OMPRegDescr **end) {
  if (!pomp_start())
    return;
  pomp_regions_register(begin, end);
  pomp_kokkos_offer(begin, end);
}

void POMP_Init(void) { pomp_start(); }

void POMP_Finalize(void) { pomp_end(); }

static void mute(bool muted) {
  atomic_store(&pomp_muted, muted);
  pomp_modes_change();
}

void POMP_On(void) { mute(false); }

void POMP_Off(void) { mute(true); }

void POMP_Snapshot(void) {
  if (pomp_start())
    pomp_snapshot_take(POMP_BY_CALL);
}
