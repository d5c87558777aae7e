#include "box.hpp"
#define TYPE int
#define NAME of_int
#include "varying.h"
#undef TYPE
#undef NAME
#define TYPE double
#define NAME of_double
#include "varying.h"
struct Inside {
#include "inside.h"
};
namespace space {
#include "within.h"
}
int other(int);
int main() {
  lib::Box<int> b(3);
  int s = b.get() + lib::half(4) + lib::Local::twice(2) + of_int(1) + (int)of_double(2);
  return s + other(3) + Inside().kept() == space::inner::once(3);
}
