// A header includes other ones by a macro, and asks for them: from a copy too, as gcc has one.
// REQUIRES: clang, gcc
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %pomp --pomp-strict -- %clang -fopenmp %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/1 ./program && %pomp report --all 1 | FileCheck %s
// RUN: %pomp --pomp-strict -- %gcc -fopenmp %s -o program
// RUN: env POMP_EXPERIMENT_DIR=%t/2 ./program && %pomp report --all 2 | FileCheck %s
#define PART "named_plain.inc"
#include "Inputs/named_by_macro.h"
#undef PART
#define PART "named_first.inc"
#include "Inputs/named_by_macro.h"
#undef PART
#define PART "named_second.inc"
#include "Inputs/named_by_macro.h"
int main(void) { return first(3) + second(3) + plain(3) != 3 * ASKED; }
// CHECK: parallel {{.*}}named_first.inc:2-3 2
// CHECK: parallel {{.*}}named_second.inc:3-4 2
