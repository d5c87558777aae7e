// A guard is on the line of what it guards.
// REQUIRES: gcc
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c
// RUN: %pomp -- %gcc -fopenmp -O2 -g -c app.c -o app.o
// RUN: objdump -dl --disassemble=main app.o | sed -n 's/.*app[.]c:/line /p' | sort -u > lines
// RUN: FileCheck %s < lines
static int number(void);

int main(int argc, char **argv) {
  (void)argv;
#pragma omp critical
  argc--;
  return argc + number();
}

static int number(void) { return 0; }
// CHECK-NOT: line {{[0-8]( |$)}}
// CHECK: line 11
// CHECK: line 12
// CHECK-NOT: line {{[0-8]( |$)}}
