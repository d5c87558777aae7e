/* No races, if one knows what a barrier is. */
enum { THREADS = 4, CELLS = 400, STEPS = 20 };

int main(void) {
  static int a[CELLS + 2], b[CELLS + 2];
#pragma omp parallel num_threads(THREADS)
  for (int step = 0; step < STEPS; step++) {
#pragma omp for
    for (int i = 1; i <= CELLS; i++)
      b[i] = a[i - 1] + a[i + 1] + 1;
#pragma omp for
    for (int i = 1; i <= CELLS; i++)
      a[i] = b[i - 1] - b[i + 1] + 2;
  }
  return a[1] == 0;
}
