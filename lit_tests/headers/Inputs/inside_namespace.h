inline int inside() {
  int x = 0;
#pragma omp parallel num_threads(2) reduction(+ : x)
  x++;
  return x;
}
