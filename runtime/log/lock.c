/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "events/omp_routines.h"
#include "log.h"

void POMP_Set_lock(void *lock, OMPRegDescr *d) {
  pomp_log("Set_lock", d);
  POMP_OMP_ROUTINE(void, omp_set_lock)(lock);
}

void POMP_Unset_lock(void *lock, OMPRegDescr *d) {
  pomp_log("Unset_lock", d);
  POMP_OMP_ROUTINE(void, omp_unset_lock)(lock);
}

int POMP_Test_lock(void *lock, OMPRegDescr *d) {
  pomp_log("Test_lock", d);
  return POMP_OMP_ROUTINE(int, omp_test_lock)(lock);
}

void POMP_Set_nest_lock(void *lock, OMPRegDescr *d) {
  pomp_log("Set_nest_lock", d);
  POMP_OMP_ROUTINE(void, omp_set_nest_lock)(lock);
}

void POMP_Unset_nest_lock(void *lock, OMPRegDescr *d) {
  pomp_log("Unset_nest_lock", d);
  POMP_OMP_ROUTINE(void, omp_unset_nest_lock)(lock);
}

int POMP_Test_nest_lock(void *lock, OMPRegDescr *d) {
  pomp_log("Test_nest_lock", d);
  return POMP_OMP_ROUTINE(int, omp_test_nest_lock)(lock);
}
