/* A construct whose visits count in part. */
#include <stdio.h>

static int a[10];

static void visit(void) {
#pragma omp target map(tofrom : a)
  a[0]++;
}

int main(void) {
  visit();
#pragma pomp inst off
  visit();
  visit();
#pragma pomp inst on
  visit();
  printf("%d\n", a[0]);
}
