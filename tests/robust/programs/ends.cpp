// Ways to end while other threads are in regions.
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/resource.h>
#include <unistd.h>

static void nothing_dumped() {
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

static void end(const char *how) {
  if (!std::strcmp(how, "exit"))
    std::exit(7);
  if (!std::strcmp(how, "_exit"))
    _exit(7);
  if (!std::strcmp(how, "quick_exit"))
    std::quick_exit(7);
  if (!std::strcmp(how, "abort"))
    std::abort();
  if (!std::strcmp(how, "throw"))
    throw 7;
  if (!std::strcmp(how, "segv"))
    *(volatile int *)nullptr = 7;
  if (!std::strcmp(how, "term"))
    kill(getpid(), SIGTERM);
  if (!std::strcmp(how, "kill"))
    kill(getpid(), SIGKILL);
}

static volatile int arrived;

// Thread 1 ends the process as thread 0 goes from one critical section to the next.
int main(int count, char **words) {
  nothing_dumped();
  std::puts("begun");
  std::fflush(stdout);
#pragma omp parallel num_threads(2)
  {
#pragma omp critical(first)
    arrived = arrived + 1;
#pragma omp barrier
#pragma omp master
    {
      for (;;) {
#pragma omp critical(busy)
        arrived = arrived + 1;
      }
    }
    while (arrived < 1000)
      usleep(100);
    if (count > 1)
      end(words[1]);
  }
  return 1;
}
