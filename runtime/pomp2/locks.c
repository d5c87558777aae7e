/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lock routines.  A POMP2 library has to see where a lock is initialized and destroyed: the link
 * wraps these routines.  The library calls them itself, and may be linked with the same wrapping.
 */
#include "pomp2.h"

#include "export.h"

void POMP_Set_lock(void *lock, OMPRegDescr *d) {
  (void)d;
  POMP2_Set_lock(lock);
}

void POMP_Unset_lock(void *lock, OMPRegDescr *d) {
  (void)d;
  POMP2_Unset_lock(lock);
}

int POMP_Test_lock(void *lock, OMPRegDescr *d) {
  (void)d;
  return POMP2_Test_lock(lock);
}

void POMP_Set_nest_lock(void *lock, OMPRegDescr *d) {
  (void)d;
  POMP2_Set_nest_lock(lock);
}

void POMP_Unset_nest_lock(void *lock, OMPRegDescr *d) {
  (void)d;
  POMP2_Unset_nest_lock(lock);
}

int POMP_Test_nest_lock(void *lock, OMPRegDescr *d) {
  (void)d;
  return POMP2_Test_nest_lock(lock);
}
