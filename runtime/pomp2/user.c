/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* User regions, and constructs that POMP2 has no events for, as user regions if POMP_POMP2_USER
 * asks for them; control of the measurement. */
#include "pomp2.h"
#include "record.h"
#include "region.h"

static void begin(OMPRegDescr *d) {
  struct pomp2_handle *handle = pomp2_handle_of(d, POMP2_MASK(POMP2_USER));
  if (!handle || !POMP2_Begin)
    return;
  pomp2_push(POMP2_OPEN_USER, handle, 0);
  POMP2_Begin(&handle->library, handle->contract);
}

static void end(OMPRegDescr *d) {
  const struct pomp2_handle *handle = pomp2_handle_of(d, POMP2_MASK(POMP2_USER));
  if (handle)
    pomp2_pop(POMP2_OPEN_USER, handle);
}

#define USER(enter, exit)                                                                          \
  void POMP_##enter(OMPRegDescr *d) { begin(d); }                                                  \
  void POMP_##exit(OMPRegDescr *d) { end(d); }
#define IGNORED(name)                                                                              \
  void POMP_##name(OMPRegDescr *d) { (void)d; }

USER(Begin, End)
USER(Simd_enter, Simd_exit)
USER(Teams_enter, Teams_exit)
USER(Target_enter, Target_exit)
USER(Target_data_enter, Target_data_exit)
IGNORED(Target_data_begin)
IGNORED(Target_data_end)
USER(Target_enter_data_enter, Target_enter_data_exit)
USER(Target_exit_data_enter, Target_exit_data_exit)
USER(Target_update_enter, Target_update_exit)
USER(Dispatch_enter, Dispatch_exit)
USER(Interop_enter, Interop_exit)
USER(Metadirective_enter, Metadirective_exit)
USER(Distribute_enter, Distribute_exit)
USER(Depobj_enter, Depobj_exit)
/* A canceled construct does not come to the exit. */
IGNORED(Cancel_enter)
IGNORED(Cancel_exit)
IGNORED(Cancellation_point_enter)
IGNORED(Cancellation_point_exit)
IGNORED(Iterations_begin)
IGNORED(Iterations_end)

void POMP_Iteration(OMPRegDescr *d, long value) { (void)d, (void)value; }
void POMP_Value_int(OMPRegDescr *d, long value) { (void)d, (void)value; }
void POMP_Value_unsigned(OMPRegDescr *d, unsigned long value) { (void)d, (void)value; }
void POMP_Value_real(OMPRegDescr *d, double value) { (void)d, (void)value; }
void POMP_Snapshot(void) {}

#define CONTROL(name)                                                                              \
  void POMP_##name(void) {                                                                         \
    if (POMP2_##name)                                                                              \
      POMP2_##name();                                                                              \
  }

CONTROL(Init)
CONTROL(Finalize)
CONTROL(On)
CONTROL(Off)
