#pragma once
namespace lib {
template <class T> struct Box {
  T t;
  explicit Box(T x) : t(x) {}
  T get() const { return t; }
};
inline int half(int x) { return x / 2; }
struct Local {
  static int twice(int x) {
    auto l = [&] { return 2 * x; };
    return l();
  }
};
} // namespace lib
