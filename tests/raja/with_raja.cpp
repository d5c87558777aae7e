/* Two kernels of RAJA with names, and one without. */
#include "RAJA/RAJA.hpp"
#include <pomp_raja.hpp>

int main() {
  static double x[1000];
  using policy = RAJA::omp_parallel_for_exec;
  for (int step = 0; step < 3; step++)
    RAJA::forall<policy>(RAJA::RangeSegment(0, 1000), RAJA::Name("axpy"),
                         [](int i) { x[i] += 0.5; });
  RAJA::forall<policy>(RAJA::RangeSegment(0, 1000), RAJA::Name("scale"),
                       [](int i) { x[i] *= 0.5; });
  RAJA::forall<policy>(RAJA::RangeSegment(0, 1000), [](int i) { x[i] += 1; });
  return x[999] != 1.75;
}
