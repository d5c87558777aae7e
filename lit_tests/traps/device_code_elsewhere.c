// Functions are device code by a prototype in a header, by a header between declare target and its end,
// and by a declare variant for target constructs.
// REQUIRES: clang
// RUN: rm -rf %t && mkdir %t
// RUN: %pomp rewrite %s -o %t/out.c -- %clang -I%S/../headers/Inputs -fopenmp 2>%t/err
// RUN: FileCheck %s <%t/err
// RUN: sed -e '\,^ *//,d' %t/out.c | FileCheck --check-prefix=TEXT %s
#include "marked_for_device.h"
#pragma omp declare target
#include "included_for_device.h"
#pragma omp end declare target
int declared(int n) {
#pragma omp critical(first)
  n++;
  return n;
}
int included(int n) {
#pragma omp critical(second)
  n++;
  return n;
}
#pragma omp begin declare variant match(construct = {teams, target})
int replaced(int n) {
#pragma omp critical(third)
  n++;
  return n;
}
#pragma omp end declare variant
#pragma omp begin declare variant match(construct = {parallel})
int replaced(int n) {
#pragma omp critical(fourth)
  n++;
  return n;
}
#pragma omp end declare variant
// CHECK: elsewhere.c:13: warning: 'critical' is not measured: the function is device code (declare target) [pomp-function]
// CHECK: elsewhere.c:18: warning: 'critical' is not measured: the function is device code (declare target) [pomp-function]
// CHECK: elsewhere.c:24: warning: 'critical' is not measured: the function is device code (declare variant for target) [pomp-function]
// CHECK-NOT: warning
// TEXT-COUNT-1: { POMP_Critical_enter(
// TEXT-NOT: { POMP_Critical_enter(
