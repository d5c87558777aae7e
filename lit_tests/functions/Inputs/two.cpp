#include "box.hpp"
int other(int k) {
  lib::Box<double> b(k);
  return k + (int)b.get() + lib::half(k) + lib::Local::twice(k);
}
