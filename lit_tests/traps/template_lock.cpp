// Lock calls in templates: with an argument whose type is not known yet, in a lambda that is
// called in place.
// REQUIRES: clang, gcc
// RUN: %pomp list %s -- %clangxx -fopenmp | FileCheck %s
// RUN: %pomp --pomp-strict -- %clangxx -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gxx -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
#include <omp.h>
omp_lock_t lock;
void tick(long n);
template <class L> void dependent(L *l) {
  omp_set_lock(l);
  omp_unset_lock(l);
}
struct own {
  void omp_set_lock(omp_lock_t *);
  template <class L> void member(L *l) { omp_set_lock(l); }
};
template <class T> void called_in_place(T n) {
  [&] {
    {
      omp_set_lock(&lock);
      tick(n + 6);
      omp_unset_lock(&lock);
    }
  }();
}
void f() {
  dependent(&lock);
  called_in_place(1);
}
// CHECK: template_lock.cpp:11 {{ *}}omp_set_lock(l) {{ *}}instrumented
// CHECK-NEXT: template_lock.cpp:12 {{ *}}omp_unset_lock(l) {{ *}}instrumented
// CHECK-NEXT: template_lock.cpp:21 {{ *}}omp_set_lock(lock) {{ *}}instrumented
// CHECK-NEXT: template_lock.cpp:23 {{ *}}omp_unset_lock(lock) {{ *}}instrumented
// CHECK-NEXT: 4 constructs
