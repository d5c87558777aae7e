/* A child that ends after the parent has used the device. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int a[10];

int main(void) {
  for (int visit = 0; visit < 3; visit++)
#pragma omp target map(tofrom : a)
    a[0]++;
  if (fork() == 0) {
#pragma omp flush
    return 0;
  }
  wait(NULL);
  printf("%d\n", a[0]);
}
