int part(void) {
  int sum = 0;
#pragma omp parallel
  {
#pragma omp master
    sum = 5;
  }
  return sum;
}
