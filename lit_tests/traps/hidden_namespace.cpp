// What a construct needs at file scope stays out of namespaces that macros open.
// REQUIRES: clang, gcc
// RUN: %rewrite_cxx | FileCheck %s
// RUN: %pomp --pomp-strict -- %clangxx -std=c++17 -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %pomp --pomp-strict -- %gxx -std=c++17 -fopenmp -Wall -Wextra -Werror -c %s -o %t.o
#define NS_BEGIN namespace hidden {
#define NS_END }
NS_BEGIN
int before;
NS_END
[[gnu::noinline]] int f(int n) {
#pragma omp critical
  n++;
  return n + hidden::before;
}
namespace a::b {
extern "C" int g(int n) {
#pragma omp critical
  n++;
  return n;
}
}
// CHECK: NS_END struct ompregdescr;
// CHECK-NEXT: {{^}}{{\[}}[gnu::noinline]] int f(int n) {
// CHECK: {{^}}} static struct __pomp_descriptor __pomp_d2
// CHECK-NEXT: {{^}}namespace a::b {
