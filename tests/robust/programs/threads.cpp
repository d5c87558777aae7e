// Threads that OpenMP did not make, and code that runs before main and after it.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <thread>
#include <vector>

static std::atomic<int> done;

static void visit() {
#pragma omp critical(visited)
  done++;
}

static int team() {
  int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
  members++;
  return members;
}

struct Around {
  Around() {
    visit();
    std::printf("before main: %d\n", team());
  }
  ~Around() {
    visit();
    std::printf("after main: %d, %d visits\n", team(), done.load());
  }
};
static Around around;

static void at_exit() {
  visit();
  std::printf("at exit: %d\n", team());
}

static void *detached(void *) {
  visit();
  return nullptr;
}

static void many_short(int count) {
  for (int i = 0; i < count; i += 8) {
    std::vector<std::thread> threads;
    for (int n = 0; n < 8; n++)
      threads.emplace_back(visit);
    for (auto &thread : threads)
      thread.join();
  }
}

static void many_detached(int count) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  for (int i = 0; i < count; i++) {
    int before = done;
    pthread_t thread;
    if (pthread_create(&thread, &attributes, detached, nullptr) != 0)
      std::exit(1);
    while (done == before)
      std::this_thread::yield();
  }
}

static void teams_of_threads() {
  std::vector<std::thread> threads;
  for (int n = 0; n < 4; n++)
    threads.emplace_back([] {
      for (int i = 0; i < 50; i++)
        done += team();
    });
  for (auto &thread : threads)
    thread.join();
}

// A thread that never ends is in a critical section when main returns.
static void left_behind() {
  std::atomic<bool> *inside = new std::atomic<bool>(false);
  std::thread([inside] {
#pragma omp critical(never_left)
    {
      *inside = true;
      for (;;)
        std::this_thread::sleep_for(std::chrono::seconds(1));
    }
  }).detach();
  while (!*inside)
    std::this_thread::yield();
}

int main(int count, char **words) {
  const char *what = count > 1 ? words[1] : "";
  std::atexit(at_exit);
  if (!std::strcmp(what, "short"))
    many_short(2000);
  if (!std::strcmp(what, "detached"))
    many_detached(1000);
  if (!std::strcmp(what, "teams"))
    teams_of_threads();
  if (!std::strcmp(what, "left"))
    left_behind();
  return 0;
}
