// A construct of a project header is named, once for each directive.
// REQUIRES: clang, gcc
// RUN: %pomp rewrite %s -o %t.c -- %clang -fopenmp 2>%t.err
// RUN: FileCheck %s <%t.err
// RUN: %pomp -- %gcc -fopenmp -Wall -Wextra -Werror -c %s -o %t.o 2>%t.err
// RUN: FileCheck %s <%t.err
#include "Inputs/kernel.h"
void f(int *a) { kernel(a); }
// CHECK: Inputs/kernel.h:2: warning: 'critical' in a header is not measured yet [pomp-header]
// CHECK-NOT: warning
