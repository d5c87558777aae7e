int count_all(void) {
  int sum = 0;
#pragma omp parallel
  {
#pragma omp atomic
    sum++;
  }
  return sum;
}
