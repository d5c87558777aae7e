int two(int n) {
#pragma omp critical(part)
  n++;
  return n;
}
