/* Inlined events in tasks, some of them cancelled in their midst. */
int main(void) {
  int sum = 0, more = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int group = 0; group < 4; group++) {
#pragma omp taskgroup
    {
      for (int i = 0; i < 100; i++) {
#pragma omp task shared(sum, more) untied
        {
#pragma omp critical
          sum++;
#pragma omp taskyield
#pragma pomp inst begin(work)
#pragma omp atomic
          more++;
#pragma pomp inst end(work)
        }
      }
#pragma omp taskwait
#pragma omp task
      {
#pragma pomp inst begin(cut)
#pragma omp cancel taskgroup
#pragma pomp inst end(cut)
      }
    }
  }
  return sum + more != 800;
}
