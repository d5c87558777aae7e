// Where a construct may stand in C++.
// options: -std=c++20
#include <cstdio>
#include <stdexcept>
#include <vector>

static int counted;

static int bump(int n) {
#pragma omp atomic //= atomic 35
  counted += n;
  return n;
}

namespace {
struct Outer {
#ifdef __clang__
  int value = [] {
    int s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(2) //= clang: parallel for 2
    for (int i = 0; i < 10; i++)
      s += i;
    return s;
  }();
#else /* gcc 12 takes no directive there */
  int value = 45;
#endif
  struct Inner {
    Inner() try : n(1) {
#pragma omp parallel num_threads(2) //= parallel 2
      bump(1);
    } catch (...) {
#pragma omp critical //= critical 0
      n = 2;
    }
    ~Inner() {
#pragma omp parallel num_threads(2) //= parallel 2
      bump(1);
    }
    int operator()(int k) const {
#pragma omp parallel for num_threads(2) //= parallel for 2
      for (int i = 0; i < k; i++)
        bump(1);
      return k;
    }
    explicit operator bool() const {
#pragma omp critical(named) //= critical 1
      bump(1);
      return n == 1;
    }
    int n;
  };
};
} // namespace

static int with_default(int (*f)(int) = [](int n) {
#pragma omp parallel num_threads(2) //= parallel 2
  bump(n);
  return n;
}) {
  return f(1);
}

template <class T, int N> struct Array {
  T items[N];
  T sum() const {
    T s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(2) //= parallel for 4
    for (int i = 0; i < N; i++)
      s += items[i];
    return s;
  }
};
template <class T> struct Array<T, 1> {
  T items[1];
  T sum() const {
#pragma omp critical //= critical 1
    bump(1);
    return items[0];
  }
};
template <class T>
  requires(sizeof(T) > 2)
T doubled(T x) {
#pragma omp parallel num_threads(2) //= parallel 4
  bump(1);
  return x + x;
}
template <class T> int of_size = [] {
  int s = 0;
#pragma omp parallel num_threads(2) reduction(+ : s) //! place
  s += int(sizeof(T));
  return s;
}();

static constexpr int folded(int n) {
#ifndef __clang__ /* clang 19 takes no directive there */
  if (n < 0) {
#pragma omp parallel //! gcc: function
    bump(1);
  }
#endif
  return n;
}

extern "C" {
int from_c(int n) {
#pragma omp parallel num_threads(2) //= parallel 2
  bump(n);
  return n;
}
}

static int initialised = [](auto n) {
#pragma omp parallel num_threads(2) //= parallel 2
  bump(n);
  return n;
}(1);

static int caught(int n) {
  int failed = 0;
#pragma omp parallel num_threads(2) //= parallel 2
  {
    try {
#pragma omp critical //= critical 2
      {
        if (n > 100)
          n = 0;
      }
      throw std::runtime_error("x");
    } catch (const std::exception &) {
#pragma omp atomic //= atomic 2
      failed++;
    }
  }
  try {
#pragma omp taskgroup //= taskgroup 1
    { bump(1); }
    throw 1;
  } catch (int) {
#pragma omp single //= single 1
    failed++;
  }
  return failed;
}

static int locals(int n) {
  struct Local {
    static int f(int k) {
#pragma omp parallel num_threads(2) //= parallel 2
      bump(k);
      return k;
    }
  };
  std::vector<int> v(10, 1);
  int s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(2) //= parallel for 2
  for (int x : v)
    s += x;
  switch (n) {
  case 1:
#pragma omp parallel num_threads(2) //= parallel 2
    bump(1);
    break;
  default:
#pragma omp critical //= critical 0
    s = 0;
  }
  int w = ({
    int t = 0;
#pragma omp parallel num_threads(2) reduction(+ : t) //= parallel 2
    t++;
    t;
  });
  if constexpr (sizeof(int) == 4)
#pragma omp parallel num_threads(2) //= parallel 2
    bump(1);
  else
#pragma omp parallel num_threads(2) //= parallel 0
    bump(1);
  if (int k = n; k > 0)
#pragma omp critical //= critical 1
    s += k;
  return Local::f(1) + s + w;
}

static int split(int n) {
  int s = 0;
#pragma omp parallel num_threads(2) reduction(+ : s) //= parallel 2
#if defined(NEVER)
  {
    s += 2;
  }
#else
  {
    s += n;
  }
#endif
#pragma omp parallel num_threads(2) //= parallel 2
  {
#include "statement.h"
  }
  return s;
}

int main() {
  Outer o;
  int r = 0;
  {
    Outer::Inner i;
    r = i(10) + bool(i);
  }
  Array<int, 4> many{{1, 2, 3, 4}};
  Array<int, 1> one{{1}};
  Array<double, 4> reals{{1, 2, 3, 4}};
  r += many.sum() + one.sum() + int(reals.sum()) + doubled(1) + int(doubled(2.0)) + of_size<int>;
  r += folded(4) + from_c(1) + initialised + caught(1) + locals(1) + with_default() + split(1);
  std::printf("%d %d %d\n", o.value, r, counted);
  return 0;
}
