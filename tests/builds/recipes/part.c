int part(int n) {
  int sum = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical
    sum += i;
  }
  return sum;
}
