// A run in every format that other tools open; the formats are said where none of them is named.
// REQUIRES: clang
// RUN: rm -rf %t.exp %t.cubex
// RUN: %pomp -- %clang -fopenmp %s -o %t
// RUN: env POMP_TRACE=1 POMP_EXPERIMENT_DIR=%t.exp %t
// RUN: %pomp export %t.exp --to cube -o %t.cubex | FileCheck --check-prefix=CUBE %s
// RUN: tar tf %t.cubex | FileCheck --check-prefix=TAR %s
// RUN: %pomp export %t.exp --to perfetto -o %t.json | FileCheck --check-prefix=SLICES %s
// RUN: %python -m json.tool %t.json | FileCheck --check-prefix=PERFETTO %s
// RUN: %pomp export %t.exp --to speedscope -o %t.json | FileCheck --check-prefix=LINES %s
// RUN: %python -m json.tool %t.json | FileCheck --check-prefix=SPEEDSCOPE %s
// RUN: %pomp export %t.exp --to hatchet -o %t.json | FileCheck --check-prefix=PATHS %s
// RUN: %python -m json.tool %t.json | FileCheck --check-prefix=HATCHET %s
// RUN: not %pomp export %t.exp --to vampir 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not %pomp export %t.exp --to cube -o %t.none/x.cubex 2>&1 | FileCheck --check-prefix=WHERE %s
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp critical(sum)
  ;
}
// CUBE: .cubex: 9 metrics, 2 call paths, 2 threads
// TAR: anchor.xml
// TAR-NEXT: 0.index
// TAR-NEXT: 0.data
// SLICES: .json: {{[0-9]+}} slices of 2 threads
// PERFETTO: "traceEvents": [
// PERFETTO: "name": "!$omp critical (sum) @formats.c:[[@LINE-9]]"
// LINES: the time lines of 2 threads
// SPEEDSCOPE: "$schema": "https://www.speedscope.app/file-format-schema.json"
// PATHS: 2 call paths
// HATCHET: "name": "!$omp parallel @formats.c:[[@LINE-14]]"
// HATCHET: "visits": 2
// NONE: pomp-clang: {{.*}}'otf2', 'cube', 'causes', 'perfetto', 'speedscope', 'hatchet'
// WHERE: pomp-clang: cannot write {{.*}}x.cubex: No such file or directory
