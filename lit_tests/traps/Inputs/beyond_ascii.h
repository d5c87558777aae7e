#define PARALLEL _Pragma("omp parallel num_threads(2)")
#define TWICE(statement) _Pragma("omp parallel num_threads(2)") statement
static void f(void) {
#pragma omp parallel
  { }
  PARALLEL { }
  TWICE({ })
}
