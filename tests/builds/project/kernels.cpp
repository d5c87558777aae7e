int kernel(int n) {
  int most = 0;
#pragma omp parallel
  {
#pragma omp for reduction(max : most)
    for (int i = 0; i < n; i++)
      most = i > most ? i : most;
  }
  return most;
}
