#define IN_PARALLEL(n, ...)                                                                        \
  do {                                                                                             \
    _Pragma("omp parallel num_threads(n > 2 ? 2 : 1)") { __VA_ARGS__; }                            \
  } while (0)
#define COUNTED(x)                                                                                 \
  _Pragma("omp atomic")                                                                            \
  x++
