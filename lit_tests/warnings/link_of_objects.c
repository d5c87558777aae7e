/*
A link of objects says if none is instrumented, and if one fits another version's library.
REQUIRES: clang
RUN: %clang -fopenmp -c %s -o %t-plain.o
RUN: %pomp -- %clang -fopenmp -c %s -o %t-ours.o
RUN: %pomp -- %clang -fopenmp %t-plain.o -o %t 2>&1 | FileCheck --check-prefix=PLAIN %s
RUN: %pomp -- %clang %t-plain.o -o %t -Wl,--unresolved-symbols=ignore-all 2>&1 | FileCheck --allow-empty --check-prefix=SILENT %s
RUN: %pomp -- %clang -fopenmp %t-ours.o -o %t 2>&1 | FileCheck --allow-empty --check-prefix=SILENT %s
RUN: %pomp -- %clang -fopenmp -O1 -c %s -o %t-inline.o
RUN: sed 's/_[0-9a-f]\{12\}_of_another_pomp/_000000000000_of_another_pomp/g' %t-inline.o > %t-other.o
RUN: not %pomp -- %clang -fopenmp %t-other.o -o %t 2>&1 | FileCheck --check-prefix=OTHER %s
PLAIN: plain.o: note: no object is instrumented; nothing of the program is measured; compile with `pomp-clang --` before the compiler, too [pomp-uninstrumented]
PLAIN-NOT: {{.}}
OTHER: other.o: warning: compiled by another version of pomp-clang; POMP symbols are undefined in the link; do a clean rebuild [pomp-version]
SILENT-NOT: {{.}}
*/
int main(void) {
  int sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 9; i++)
#pragma omp critical
    sum += i;
  return sum != 36;
}
