// Inlined events have no lines and no frames of their own: a debugger shows the user's.
// REQUIRES: clang
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c
// RUN: %pomp -- %clang -fopenmp -O2 -g -S -emit-llvm app.c -o - | FileCheck %s
int main(int argc, char **argv) {
  (void)argv;
#pragma omp critical
  argc--;
  return argc;
}
// CHECK: rdtsc
// CHECK-NOT: !DIFile(filename: "{{.*(hot|profile|thread|clock)\.[ch]}}"
// CHECK-NOT: !DISubprogram(name: "{{pomp_hot|pomp_muted_visit|aside_|POMP_Critical}}
// CHECK: !DISubprogram(name: "main"
// CHECK-NOT: !DIFile(filename: "{{.*(hot|profile|thread|clock)\.[ch]}}"
// CHECK-NOT: !DISubprogram(name: "{{pomp_hot|pomp_muted_visit|aside_|POMP_Critical}}
