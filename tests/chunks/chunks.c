/* Loops whose chunks are known: the comment at the directive has their number. */
static volatile int sum;

int main(void) {
#pragma omp parallel for schedule(dynamic) /* 100 */
  for (int i = 0; i < 100; i++)
    sum = i;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 7) /* 15 */
    for (int i = 0; i < 100; i++)
      sum = i;
#pragma omp for schedule(dynamic, 10) nowait /* 101 */
    for (unsigned long long i = 0; i < 1001; i++)
      sum = (int)i;
#pragma omp for schedule(monotonic : dynamic, 3) collapse(2) /* 34 */
    for (long i = 0; i < 10; i++)
      for (long k = 0; k < 10; k++)
        sum = (int)i;
#pragma omp for schedule(runtime) /* 25 */
    for (unsigned i = 0; i < 100; i++)
      sum = (int)i;
#pragma omp for schedule(guided, 50) /* 2 */
    for (int i = 0; i < 100; i++)
      sum = i;
#pragma omp for schedule(static, 1) /* 0 */
    for (int i = 0; i < 100; i++)
      sum = i;
#pragma omp for schedule(dynamic) /* 0 */
    for (int i = 0; i < sum - 1000000; i++)
      sum = i;
  }
}
