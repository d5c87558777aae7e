// A region reached on two call paths has columns for each of them, as in ompP: inclusive of
// everything below it, and exclusive.
// REQUIRES: clang, gcc
// RUN: rm -rf %t.clang %t.gcc
// RUN: %pomp --pomp-strict -- %clang -fopenmp %s -o %t
// RUN: env POMP_EXPERIMENT_DIR=%t.clang %t
// RUN: %pomp report --section callpath-regions %t.clang | FileCheck %s
// RUN: %pomp report --section callpath-regions %t.clang | FileCheck --check-prefix=LEFT %s
// RUN: %pomp report %t.clang --all | FileCheck --check-prefix=ALL %s
// RUN: %pomp report %t.clang --format csv | FileCheck --check-prefix=CSV %s
// RUN: %pomp --pomp-strict -- %gcc -fopenmp %s -o %t
// RUN: env POMP_EXPERIMENT_DIR=%t.gcc %t
// RUN: %pomp report --section callpath-regions %t.gcc | FileCheck %s
static int n;

static void add(int times) {
#pragma omp for
  for (int i = 0; i < times; i++) {
#pragma omp critical(sum)
    n++;
  }
}

int main(void) {
#pragma omp parallel num_threads(2)
  {
    add(10);
#pragma omp single
    n++;
  }
#pragma omp parallel num_threads(2)
  add(30);
  return n != 41;
}
// CHECK-LABEL: Call-path region profiles (incl. and excl., seconds)
// CHECK: parallel {{ *}}callpaths.c:25-30
// CHECK: for {{ *}}callpaths.c:17-21
// CHECK: critical (sum) {{ *}}callpaths.c:19-20
// CHECK-NEXT: TID execT execC bodyT/I bodyT/E enterT exitT
// CHECK: SUM {{[0-9.]+ +}}10{{ }}
// CHECK: parallel {{ *}}callpaths.c:31-32
// CHECK: for {{ *}}callpaths.c:17-21
// CHECK: critical (sum) {{ *}}callpaths.c:19-20
// CHECK: SUM {{[0-9.]+ +}}30{{ }}
// CHECK: 1 more call path not shown; --all has them.
// LEFT-LABEL: Call-path region profiles
// LEFT-NOT: singleT
// ALL-LABEL: Call-path region profiles
// ALL: single {{ *}}callpaths.c:28-29
// ALL-NEXT: TID execT execC singleT/I singleT/E singleC exitBarT taskT
// ALL-NOT: not shown
// CSV-LABEL: ##BEG callgraph region profiles
// CSV: ##BEG [[ID:R[0-9]+]] callgraph profile
// CSV-NEXT: [*00],
// CSV-NEXT: [+01],[[ID]],parallel,
// CSV-NEXT: TID,execT,execC,bodyT/I,bodyT/E,exitBarT,startupT,shutdwnT,taskT
