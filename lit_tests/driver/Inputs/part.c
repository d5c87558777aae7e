int NAME(int n) {
#pragma omp critical(part)
  n++;
  return n;
}
