// Values of variables in C++: members, references, what is captured, enumerations; a template's are
// of no type yet.
// REQUIRES: clang, gcc
// RUN: %pomp -- %clangxx -fopenmp -Wall -Wextra -Wold-style-cast -Werror -Wno-unknown-pragmas %s -o %t 2>%t.err
// RUN: FileCheck --check-prefix=NAMED %s < %t.err
// RUN: rm -rf %t.c %t.g
// RUN: env POMP_TRACE=1 POMP_EXPERIMENT_DIR=%t.c %t
// RUN: %pomp trace %t.c | FileCheck %s
// RUN: %pomp -- %gxx -fopenmp -Wall -Wextra -Wold-style-cast -Werror -Wno-unknown-pragmas %s -o %t
// RUN: env POMP_TRACE=1 POMP_EXPERIMENT_DIR=%t.g %t
// RUN: %pomp trace %t.g | FileCheck %s
enum class Colour : unsigned char { red, green = 7 };

struct Counter {
  int total = 4;
  void add(int &by);
  void inside() {
#pragma pomp inst begin(inside, rate)
    total++;
#pragma pomp inst end(inside)
  }
  double rate = 0.25;
};

void Counter::add(int &by) {
#pragma pomp inst begin(add, by)
  total += by;
#pragma pomp inst end(add, total)
}

template <class T> T same(T x) {
#pragma pomp inst begin(same, x)
  T y = x;
#pragma pomp inst end(same)
  return y;
}

namespace outer {
const long size = 9;
void run() {
  const auto colour = Colour::green;
  const auto call = [&colour](auto &&part) {
#pragma pomp inst begin(lambda, colour)
    part += colour == Colour::red;
#pragma pomp inst end(lambda)
  };
  unsigned both[] = {1, 2};
  call(both[0]);
  for (auto each : both) {
#pragma pomp inst begin(each, each)
#pragma pomp inst end(each, size)
  }
}
} // namespace outer

int main() {
  Counter c;
  int by = 3;
  c.add(by);
  c.inside();
  outer::run();
  return same(0);
}
// NAMED: values.cpp:{{[0-9]+}}: warning: the value of 'x' is not recorded: it is no variable of arithmetic type here [pomp-value]
// CHECK: value region add {{.*}} 3{{$}}
// CHECK: value region add {{.*}} 7{{$}}
// CHECK: value region inside {{.*}} 0.25{{$}}
// CHECK: value region lambda {{.*}} 7{{$}}
// CHECK: value region each {{.*}} 1{{$}}
// CHECK: value region each {{.*}} 9{{$}}
// CHECK: value region each {{.*}} 2{{$}}
// CHECK: value region each {{.*}} 9{{$}}
