// clang's diagnostics of a text that instrumentation leaves as it is are those of the source: no
// second compile has them. They are shown as plain clang shows them.
// REQUIRES: clang
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: printf '#!/bin/sh\ncase " $* " in *" -c "*) echo compiled >>log ;; esac\nexec %clangxx "$@"\n' >counting && chmod +x counting
// RUN: ./counting -fopenmp -Wall -Wextra -DEQUAL -c %s -o a.o 2>plain.txt && rm log
// RUN: %pomp --pomp-functions=all -- ./counting -fopenmp -Wall -Wextra -DEQUAL -c %s -o a.o 2>ours.txt
// RUN: diff plain.txt ours.txt
// RUN: grep -c compiled log | FileCheck --check-prefix=ONCE %s
// RUN: FileCheck --check-prefix=SHOWN --input-file=ours.txt %s
// RUN: nm a.o | grep pomp
// ONCE: 1
// SHOWN: unused parameter 'never'
// SHOWN: int equal(int never) {{[{]$}}
// RUN: rm log && ./counting -fopenmp -Wall -Wextra -c %s -o a.o 2>plain.txt && rm log
// RUN: %pomp --pomp-functions=all -- ./counting -fopenmp -Wall -Wextra -c %s -o a.o 2>ours.txt
// RUN: diff plain.txt ours.txt
// RUN: grep -c compiled log | FileCheck --check-prefix=TWICE %s
// TWICE: 2
int declared();
int equal(int never) {
  int unused;
#pragma omp parallel
  { }
  return 0;
}
#ifndef EQUAL
int behind() { int unused; return 0; }
#endif
