#pragma once
inline int attribute() {
  int x = 0;
  [[omp::directive(parallel num_threads(2))]] {
    [[omp::directive(atomic)]] x++;
  }
  return x;
}
template <class T> struct Counter {
  T value;
  Counter() : value(0) {
#pragma omp parallel num_threads(2)
    add([](T &v) {
#pragma omp critical(counter)
      v++;
    });
  }
  template <class F> void add(F f) { f(value); }
};
