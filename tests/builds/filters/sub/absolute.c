int absolute(int n) {
#pragma omp critical
  n++;
  return n;
}
