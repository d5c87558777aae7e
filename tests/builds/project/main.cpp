#include "grid.h"
#include <cstdio>
int main() {
  std::printf("%d %d %d %d %d %d\n", grid(10), kernel(9), smooth(3), part(), count_all() > 0,
              in_header(4));
  return 0;
}
