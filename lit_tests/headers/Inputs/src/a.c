#include "../inc/other.h"
#include "../inc/kernel.h"
#include "here.h"
int b(void);
int main(void) {
  int x = 0;
  omp_init_lock(&the_lock);
#pragma omp parallel num_threads(2)
  add(&x);
  show("a");
  printf("%d %d %d %d\n", x, other(10), b(), here());
  return 0;
}
