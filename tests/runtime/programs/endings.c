/* Ways for a program to end, and processes beside it. */
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

static void do_work(void) {
  POMP_Begin(&work);
  sleep_ms(5);
  POMP_End(&work);
}

static void *foreign(void *unused) {
  do_work();
  return unused;
}

static void foreign_threads(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], 0, foreign, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
}

/* All four are in the region, thread 1 in its critical section, when it ends. */
static void end_inside(const char *how) {
  PARALLEL(par, num_threads(4))
  POMP_Critical_enter(&crit);
#pragma omp critical
  {
    POMP_Critical_begin(&crit);
    do_work();
    POMP_Critical_end(&crit);
  }
  POMP_Critical_exit(&crit);
#pragma omp barrier
  if (omp_get_thread_num() == 1) {
    sleep_ms(30);
    POMP_Critical_enter(&crit);
    POMP_Critical_begin(&crit);
    if (!strcmp(how, "exit"))
      exit(7);
    if (!strcmp(how, "_exit"))
      _exit(7);
    if (!strcmp(how, "quick_exit"))
      quick_exit(7);
    if (!strcmp(how, "abort"))
      abort();
    if (!strcmp(how, "segv"))
      raise(SIGSEGV);
    if (!strcmp(how, "kill"))
      kill(getpid(), SIGKILL);
  }
  sleep_ms(2000);
  END_PARALLEL(par)
}

static void children(int events, int normally) {
  POMP_Begin(&func);
  do_work();
  for (int i = 0; i < 2; i++) {
    pid_t child = fork();
    if (child == 0) {
      for (int n = 0; n < events; n++)
        do_work();
      POMP_End(&func); /* opened by the parent */
      if (normally)
        exit(0);
      _exit(0);
    }
    waitpid(child, 0, 0);
  }
  do_work();
  POMP_End(&func);
}

/* Only the child of the two processes meets an event. */
static void work_of_a_child(void) {
  pid_t child = fork();
  if (child == 0) {
    do_work();
    exit(0);
  }
  waitpid(child, 0, 0);
}

static void control(void) {
  do_work();
  POMP_Begin(&func);
  POMP_Off();
  do_work();
  POMP_Begin(&work);
  POMP_On();
  POMP_End(&work);
  POMP_End(&func);
  do_work();
  POMP_Init();
  POMP_Finalize();
  do_work();
  POMP_Init();
  do_work();
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  puts("output");
  fflush(stdout);
  if (!strcmp(what, "inside"))
    end_inside(argv[2]);
  if (!strcmp(what, "early")) {
    POMP_Init();
    kill(getpid(), SIGKILL);
  }
  if (!strcmp(what, "children"))
    children(atoi(argv[2]), atoi(argv[3]));
  if (!strcmp(what, "child"))
    work_of_a_child();
  if (!strcmp(what, "foreign"))
    foreign_threads();
  if (!strcmp(what, "control"))
    control();
  if (!strcmp(what, "work"))
    do_work();
  return argc > 1 ? 3 : 0;
}
