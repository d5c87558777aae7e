/* Snapshots of finished regions, of open regions, and of regions that never rest. */
#include "pomp_test.h"

#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

PLACE(par, "parallel", 10);
PLACE(crit, "critical", 20);
FUNCTION(func, "main", 30);
FUNCTION(work, "work", 40);

static void do_work(int ms) {
  POMP_Begin(&work);
  sleep_ms(ms);
  POMP_End(&work);
}

static void calls(int count) {
  for (int i = 0; i < count; i++) {
    do_work(2);
    POMP_Snapshot();
  }
}

static void goes_on(int ms) {
  POMP_Begin(&func);
  sleep_ms(ms);
  POMP_End(&func);
}

static volatile int stop;
static volatile long visits;

/* One looks on as the other visits. */
static void never_rests(void) {
  PARALLEL(par, num_threads(2))
  if (omp_get_thread_num() == 1) {
    while (!stop) {
      POMP_Critical_enter(&crit);
#pragma omp critical
      {
        POMP_Critical_begin(&crit);
        visits++;
        POMP_Critical_end(&crit);
      }
      POMP_Critical_exit(&crit);
    }
  } else {
    while (visits < 2)
      sleep_ms(1);
    for (int i = 0; i < 20; i++) {
      sleep_ms(2);
      POMP_Snapshot();
    }
    stop = 1;
  }
  END_PARALLEL(par)
  printf("%ld\n", visits);
}

static void signals(void) {
  for (int i = 0; i < 3; i++) {
    do_work(2);
    raise(SIGUSR2);
    sleep_ms(100);
  }
}

static void child(void) {
  calls(2);
  if (fork() == 0) {
    calls(3);
    exit(0);
  }
  wait(0);
}

static void *late(void *unused) {
  sleep_ms(50);
  do_work(1);
  return unused;
}

/* The process ends with its last thread. */
static void main_leaves(void) {
  pthread_t thread;
  pthread_create(&thread, 0, late, 0);
  pthread_exit(0);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "calls"))
    calls(atoi(argv[2]));
  if (!strcmp(what, "goes_on"))
    goes_on(atoi(argv[2]));
  if (!strcmp(what, "never_rests"))
    never_rests();
  if (!strcmp(what, "signals"))
    signals();
  if (!strcmp(what, "child"))
    child();
  if (!strcmp(what, "main_leaves"))
    main_leaves();
  if (!strcmp(what, "kill")) {
    goes_on(300);
    kill(getpid(), SIGKILL);
  }
  return 0;
}
