int beside(int n) {
#pragma omp critical
  n++;
  return n;
}
