/* Two threads: three criticals of each, two master blocks. */
int main(void) {
  int n = 0;
#pragma omp parallel num_threads(2)
  {
    for (int i = 0; i < 3; i++) {
#pragma omp critical
      n++;
    }
    for (int i = 0; i < 2; i++) {
#pragma omp master
      n += 0;
    }
  }
  return n != 6;
}
