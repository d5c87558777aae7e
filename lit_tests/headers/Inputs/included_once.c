long once(void) {
  long sum = 0;
#include "reduction.inc"
  return sum;
}
