// Constructs in a coroutine; gcc 12 breaks down on them.
// only: clang
// options: -std=c++20
#include <coroutine>
#include <cstdio>

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};

static int s;

static Task co(int n) {
#pragma omp parallel num_threads(2) //= parallel 2
  {
#pragma omp critical //= critical 2
    s += n;
  }
  co_await std::suspend_never{};
#pragma omp parallel for num_threads(2) //= parallel for 2
  for (int i = 0; i < n; i++)
#pragma omp atomic //= atomic 3
    s++;
  co_return;
}

static Task one(int n) {
#pragma omp critical //= critical 1
  s += n;
  co_await std::suspend_never{};
}

int main() {
  co(3);
  one(1);
  std::printf("%d\n", s);
  return 0;
}
