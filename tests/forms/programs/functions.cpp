// Functions of C++ are left on every way out, and counted once for each call.
// pomp: --pomp-functions=all
// options: -std=c++20 -Wshadow -Wno-unknown-pragmas
#include <coroutine>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <vector>

namespace outer {
namespace {
struct Tried {
  template <class T>
  Tried(T t) //= function 2
  try : m(check((int)t)) {
    m++;
  } catch (int) {
    throw;
  }
  Tried(int a, int b) try : m(a) { //= function 1
    if (b)
      throw b;
  } catch (int) {
    throw;
  }
  static int check(int v) { //= function 3
    if (v < 0)
      throw v;
    return v;
  }
  int m;
  operator int() const { return m; } //= function 1
  friend int amigo(const Tried &z) { return z.m; } //= function 1
};
} // namespace
inline namespace v1 {
int in_line(int x) { return x; } //= function 1
} // namespace v1
} // namespace outer

template <class T> struct Box {
  T t;
  explicit Box(T x);
  ~Box();
  template <class U> U as() const;
  auto operator<=>(const Box &) const = default;
};
template <class T>
Box<T>::Box(T x) //= function 3
    : t(x) {
  if (x == 99)
    throw x;
}
template <class T> Box<T>::~Box() {} //= function 2
template <class T> template <class U> U Box<T>::as() const { return U(t); } //= function 2
template <> template <> int Box<int>::as<int>() const { return 1; } //= function 1

int tried(int k) //= function 3
try {
  if (k)
    throw k;
  return 0;
} catch (int e) {
  if (e > 9)
    throw;
  return e;
} catch (...) {
  return -1;
}

int jumps(int k) { //= function 1
  for (int i = 0;; i++)
    for (;;) {
      std::vector<int> v(3);
      if (i == k)
        goto out;
      break;
    }
out:
  return k;
}

auto abbreviated(auto x) { return x; } //= function 2

struct Started {
  struct promise_type {
    Started get_return_object() { return {}; }                              //= function 1
    std::suspend_never initial_suspend() { return {}; }                     //= function 1
    std::suspend_never final_suspend() noexcept { return {}; }              //= function 1
    void return_void() {}                                                   //= function 1
    void unhandled_exception() {}                                           //= function 0
  };
};
Started coroutine(int n) { //! coroutine
  for (int i = 0; i < n; i++)
    co_await std::suspend_never{};
}

int never() noexcept { return 1; }                  //= function 1
consteval int immediate(int x) { return x; }        //! function
constexpr int square(int x) { return x * x; }       //! function
constexpr auto constant = [](int x) { return x; };  //! function
static_assert(constant(1) == 1);
auto lambda = [](int x) noexcept { return x + 1; }; //= function 1
void nothing(int k) { //= function 2
  if (k)
    return;
}
[[noreturn]] void fails() { throw std::runtime_error("on purpose"); } //= function 1
int by_default(int k = [] { return 4; }()) { return k; } //= function 2, function 1
int sum(int k) { return k ? k + sum(k - 1) : 0; } //= function 11
int deep(int k) { //= function 6
  if (k == 0)
    throw 7;
  int r = deep(k - 1);
  return r;
}

int main() { //= function 1
  int s = 0;
  outer::Tried a(1), b(2.5);
  try {
    outer::Tried c(-3);
  } catch (int) {
    s++;
  }
  try {
    outer::Tried c(1, 2);
  } catch (int) {
    s++;
  }
  s += (int)a + amigo(b) + outer::in_line(2);
  {
    Box<int> x(1);
    Box<double> y(2);
    s += x.as<int>() + (int)y.as<long>() + (int)x.as<short>();
    try {
      Box<int> z(99);
    } catch (int) {
      s++;
    }
  }
  try {
    s += tried(0) + tried(5) + tried(10);
  } catch (int e) {
    s += e;
  }
  s += jumps(3) + abbreviated(1) + (int)abbreviated(2.0) + never() + immediate(2) + square(2);
  s += constant(2) + lambda(1);
  coroutine(2);
  nothing(0);
  nothing(1);
  try {
    fails();
  } catch (std::exception &) {
    s++;
  }
  s += by_default() + by_default(1) + sum(10);
  try {
    deep(5);
  } catch (int e) {
    s += e;
  }
  struct Local {
    int twice(int x) { return 2 * x; } //= function 1
  };
  std::function<int(int)> f = [&](int i) { //= function 100
    auto g = [i](auto q) { return q + i; }; //= function 100
    return g(1);
  };
  s += Local().twice(2);
#pragma omp parallel for reduction(+ : s) //= parallel for 4
  for (int i = 0; i < 100; i++)
    s += f(i);
  std::printf("%d\n", s);
}
