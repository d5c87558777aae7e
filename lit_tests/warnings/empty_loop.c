/*
An empty loop that is a construct's block gets no warning of the calls behind it.
REQUIRES: clang, gcc
RUN: %pomp --pomp-strict -- %clang -fopenmp -Wall -Wextra -c %s -o %t.o 2>&1 | FileCheck --allow-empty %s
RUN: %pomp --pomp-strict -- %gcc -fopenmp -Wall -Wextra -c %s -o %t.o 2>&1 | FileCheck --allow-empty %s
CHECK-NOT: {{.}}
*/
int go(void);
void wait(void);

void wait(void) {
#pragma omp parallel
  {
#pragma omp critical
    while (go()) ;
#pragma omp single
    for (; go();) ;
#pragma omp task
    while (go() || !(go())) ;
#pragma omp for
    for (int i = 0; i < 9; i++) ;
  }
#pragma omp parallel
  while (go()) ;
}
