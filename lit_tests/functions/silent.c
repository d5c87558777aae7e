/* A measured function raises no warning, in every version of C.
REQUIRES: clang, gcc
RUN: %pomp --pomp-strict --pomp-functions=all -- %clang -std=c90 -pedantic -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wcast-qual -Wconversion -Werror -c %s -o %t.o
RUN: %pomp --pomp-strict --pomp-functions=all -- %clang -std=c99 -pedantic -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wcast-qual -Wconversion -Werror -c %s -o %t.o
RUN: %pomp --pomp-strict --pomp-functions=all -- %clang -std=c11 -O2 -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wcast-qual -Wconversion -Werror -c %s -o %t.o
RUN: %pomp --pomp-strict --pomp-functions=all -- %clang -std=gnu23 -O2 -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wcast-qual -Wconversion -Werror -c %s -o %t.o
RUN: %pomp --pomp-strict --pomp-functions=all -- %gcc -std=c90 -pedantic -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wcast-qual -Wconversion -Werror -c %s -o %t.o
RUN: %pomp --pomp-strict --pomp-functions=all -- %gcc -std=c99 -pedantic -O2 -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wcast-qual -Wconversion -Werror -c %s -o %t.o
RUN: %pomp --pomp-strict --pomp-functions=all -- %gcc -std=gnu2x -O2 -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wcast-qual -Wconversion -Werror -c %s -o %t.o
The instrumented text itself is silent, not only what is shown of it.
RUN: rm -rf %t.kept && %pomp --pomp-keep=%t.kept --pomp-functions=all -- %clang -std=c90 -pedantic -fopenmp -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wcast-qual -Wconversion -Werror -c %s -o %t.o
RUN: sh %t.kept/silent.c.1/command 2>&1 | FileCheck --allow-empty --check-prefix=SILENT %s
SILENT-NOT: {{.}} */
static int f(int a) {
  int b = a;
  for (; b < 9; b++)
    if (b == 3)
      return b;
  return b - 1;
}
__extension__ __inline__ int external(int k);
__extension__ __inline__ int external(int k) { return k + 1; }
int main(void) {
  int r = f(1);
#pragma omp critical
  r++;
  return r == external(r);
}
