/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "event.h"
#include "snapshot.h"

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

POMP_EVENT(Begin) { pomp_enter(d, POMP_FRAME_USER, 0); }

POMP_EVENT(End) { pomp_leave(d, POMP_KIND(POMP_FRAME_USER)); }
