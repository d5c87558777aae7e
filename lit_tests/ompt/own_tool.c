// A source with an OMPT tool of its own has no barrier but its own, which the tool sees alone.
// REQUIRES: clang
// RUN: %pomp rewrite %s -- %clang -fopenmp | sed -e '\,^ *//,d' | FileCheck --check-prefix=TEXT %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp %s -o %t.exe
// RUN: rm -rf %t.exp && env POMP_EXPERIMENT_DIR=%t.exp %t.exe | FileCheck --check-prefix=RAN %s
// RUN: %pomp report %t.exp | FileCheck --check-prefix=REPORT %s
#include <omp-tools.h>
#include <omp.h>
#include <stdio.h>

static int spelt;

static void on_region(ompt_sync_region_t kind, ompt_scope_endpoint_t end, ompt_data_t *team,
                      ompt_data_t *task, const void *at) {
  (void)end, (void)team, (void)task, (void)at;
  if (kind == ompt_sync_region_barrier_explicit)
    spelt++;
}

static int start(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  ((ompt_set_callback_t)lookup("ompt_set_callback"))(ompt_callback_sync_region,
                                                     (ompt_callback_t)on_region);
  return 1;
}

static void finish(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  static ompt_start_tool_result_t result = {start, finish, {0}};
  (void)version, (void)runtime;
  return &result;
}

int main(void) {
  int a[2];
#pragma omp parallel num_threads(2)
#pragma omp for
  for (int i = 0; i < 2; i++)
    a[i] = i;
  printf("%d, %d spelt\n", a[1], spelt);
}
// TEXT-NOT: nowait
// TEXT-NOT: omp barrier
// RAN: 1, 0 spelt
// REPORT: The barriers of 2 regions were not measured
