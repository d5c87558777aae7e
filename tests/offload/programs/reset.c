/* The host sends the same content again and again, as kernels change its copy on the device. */
static double a[1000];

int main(void) {
#pragma omp target data map(alloc : a)
  for (int turn = 0; turn < 5; turn++) {
#pragma omp target update to(a)
#pragma omp target
    for (int i = 0; i < 1000; i++)
      a[i] += i;
  }
}
