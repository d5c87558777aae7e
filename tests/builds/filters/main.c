#include <stdio.h>

int relative(int), generated(int), beside(int), absolute(int);
int configured(int), chosen(int), object(int), added(int);

int MAIN(void) {
  int n = relative(generated(beside(absolute(configured(chosen(object(added(0))))))));
#pragma omp critical
  n++;
#pragma omp atomic
  n++;
  printf("%d\n", n);
  return 0;
}
