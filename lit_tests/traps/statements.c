// Statement ends come from the tree: GNU statement expressions, compound literals, nested and
// unbraced bodies, #if inside a block.
// REQUIRES: clang, gcc
// RUN: %rewrite_c | FileCheck %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -Werror -Wno-unknown-pragmas -c %s -o %t.o
struct point { int x, y; };
struct point f(int n, const int *a) {
  struct point p;
#pragma omp critical
  p = (struct point){n, ({ int k = n; k++; k; })};
#pragma omp critical
  for (int i = 0; i < n; i++)
    if (a[i]) {
      p.x++;
    } else
      while (p.y < 3)
        p.y++;
#pragma omp critical
  {
#if 0
  }}}
#else
    p.x = 1;
#endif
  }
  return p;
}
// CHECK: p = (struct point){n, ({ int k = n; k++; k; })}; ; POMP_Critical_end
// CHECK: while (p.y < 3)
// CHECK-NEXT: p.y++; ; POMP_Critical_end
// CHECK: #endif
// CHECK-NEXT: } POMP_Critical_end
