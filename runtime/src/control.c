/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "event.h"

void POMP_Init(void) { pomp_start(); }

void POMP_Finalize(void) { pomp_end(); }

void POMP_On(void) { atomic_store_explicit(&pomp_muted, false, memory_order_relaxed); }

void POMP_Off(void) { atomic_store_explicit(&pomp_muted, true, memory_order_relaxed); }

void POMP_Begin(OMPRegDescr *d) { pomp_enter(d, POMP_FRAME_USER, 0); }

void POMP_End(OMPRegDescr *d) { pomp_leave(d, POMP_KIND(POMP_FRAME_USER)); }
