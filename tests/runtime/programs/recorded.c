/* Threads that record much, and what a program may do meanwhile. */
#define _GNU_SOURCE
#include "pomp_test.h"

#include <dirent.h>
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

PLACE(par, "parallel", 10);
FUNCTION(work, "work", 20);
FUNCTION(outer, "outer", 30);

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void record(int events) {
  for (int i = 0; i < events; i += 2) {
    POMP_Begin(&work);
    POMP_End(&work);
  }
}

static void team(int events, int threads) {
  PARALLEL(par, num_threads(threads))
  record(events);
  END_PARALLEL(par)
}

/* Counted page by page: what the kernel sums up (VmHWM) may be 64 pages off for each processor. */
static void print_memory(void) {
  char line[256];
  long kilobytes;
  FILE *file = fopen("/proc/self/smaps_rollup", "r");
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "Anonymous: %ld", &kilobytes) == 1)
      printf("%ld\n", kilobytes * 1024);
}

/* A program may count on the lowest number that is free. */
static int descriptors(int ms) {
  double end = now_ms() + ms;
  int first = open("/dev/null", O_RDONLY), others = 0;
  close(first);
  while (now_ms() < end) {
    record(200);
    int fd = open("/dev/null", O_RDONLY);
    others += fd != first;
    close(fd);
  }
  printf("%d\n", others);
  return 0;
}

static void forks(int events) {
  POMP_Begin(&outer);
  for (int i = 0; i < 4; i++) {
    record(events);
    if (fork() == 0) {
      record(events);
      exit(0);
    }
  }
  while (wait(NULL) > 0)
    ;
  POMP_End(&outer);
}

static void record_interrupted(int signal) {
  (void)signal;
  record(2);
}

/* Interrupted by the clock in the thread's first block, after `before` events. */
static void interrupted(int events, int before) {
  struct itimerspec often = {{0, 20000}, {0, 20000}}, never = {{0, 0}, {0, 0}};
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  timer_t timer;
  record(before);
  signal(SIGUSR1, record_interrupted);
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  timer_settime(timer, 0, &often, NULL);
  record(events);
  timer_settime(timer, 0, &never, NULL);
}

static void *record_for_long(void *unused) {
  double end = now_ms() + 100;
  while (now_ms() < end)
    record(1000);
  return unused;
}

/* The process ends with the last of its other threads. */
static void leave(void) {
  pthread_t other;
  pthread_create(&other, 0, record_for_long, 0);
  pthread_exit(0);
}

/* Processors that each thread of the process may run on. */
static void places(void) {
  record(2);
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *d; (d = readdir(tasks));) {
    cpu_set_t set;
    if (*d->d_name != '.' && sched_getaffinity(atoi(d->d_name), sizeof set, &set) == 0)
      printf("%d\n", CPU_COUNT(&set));
  }
  closedir(tasks);
}

int main(int argc, char **argv) {
  const char *what = argv[1];
  int much = argc > 2 ? atoi(argv[2]) : 0;
  if (!strcmp(what, "team"))
    team(much, argc > 3 ? atoi(argv[3]) : 4);
  if (!strcmp(what, "team") && argc > 3)
    print_memory();
  if (!strcmp(what, "descriptors"))
    return descriptors(much);
  if (!strcmp(what, "forks"))
    forks(much);
  if (!strcmp(what, "interrupted"))
    interrupted(much, argc > 3 ? atoi(argv[3]) : 2);
  if (!strcmp(what, "leave"))
    leave();
  if (!strcmp(what, "places"))
    places();
  return 0;
}
