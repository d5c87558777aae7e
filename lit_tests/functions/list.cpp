// pomp-clang list: functions with their qualified names and what becomes of them.
// REQUIRES: clang
// RUN: %pomp list --pomp-functions=all %s -- %clangxx -fopenmp -std=c++17 2>/dev/null | FileCheck %s
// RUN: %pomp list %s -- %clangxx -fopenmp -std=c++17 | FileCheck --check-prefix=NONE %s
// RUN: %pomp list --pomp-functions=all --format json %s -- %clangxx -fopenmp -std=c++17 | FileCheck --check-prefix=JSON %s
namespace space {
namespace {
template <class T> struct Box {
  Box() {}
  ~Box() {}
  explicit operator bool() const { return true; }
  bool operator==(const Box &) const { return true; }
  template <class U> U as() const;
};
} // namespace
template <class T>
template <class U>
U Box<T>::as() const {
  auto inner = [] { return U(); };
  return inner();
}
} // namespace space
extern "C" int plain(void) {
#pragma omp critical
  return 1;
}
constexpr int constant() { return 1; }
#define MAKE(name) int name() { return 1; }
MAKE(made)
#define CALL(x) (x)()
int argument() { return CALL([] { return 1; }); }
// CHECK: list.cpp:9 {{ *}}function space::(anonymous namespace)::Box::Box {{ *}}instrumented
// CHECK: list.cpp:10 {{ *}}function space::(anonymous namespace)::Box::~Box {{ *}}instrumented
// CHECK: list.cpp:11 {{ *}}function space::(anonymous namespace)::Box::operator bool {{ *}}instrumented
// CHECK: list.cpp:12 {{ *}}function space::(anonymous namespace)::Box::operator== {{ *}}instrumented
// CHECK: list.cpp:18-21 {{ *}}function space::(anonymous namespace)::Box::as {{ *}}instrumented
// CHECK: list.cpp:19 {{ *}}function space::(anonymous namespace)::Box::as::{lambda} {{ *}}instrumented
// CHECK: list.cpp:23-26 {{ *}}function plain {{ *}}instrumented
// CHECK: list.cpp:24-25 {{ *}}critical {{ *}}instrumented
// CHECK: list.cpp:27 {{ *}}function constant {{ *}}not instrumented: no call may stand in a constexpr function
// CHECK: list.cpp:29 {{ *}}function made {{ *}}not instrumented: its body is not written in braces here
// CHECK: list.cpp:31 {{ *}}function argument {{ *}}instrumented
// CHECK: list.cpp:31 {{ *}}function argument::{lambda} {{ *}}not instrumented: its body is not written in braces here
// CHECK: 1 constructs and 11 functions, 9 instrumented
// NONE-NOT: {{ }}function{{ }}
// NONE: 1 constructs, 1 instrumented
// JSON: "kind": "function",
// JSON-NEXT: "name": "function",
// JSON-NEXT: "sub_name": "space::(anonymous namespace)::Box::Box",
