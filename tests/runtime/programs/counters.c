/* Touches memory for the first time: each region causes a given number of page faults. */
#include "pomp_tasks.h"

#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

PLACE(par, "parallel", 10);
PLACE(crit, "critical", 20);
PLACE(job, "task", 60);
FUNCTION(outer, "outer", 30);
FUNCTION(inner, "inner", 40);

static void touch(long pages) {
  long page = sysconf(_SC_PAGESIZE);
  size_t size = (size_t)(pages * page);
  volatile char *memory =
      mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise((void *)memory, size, MADV_NOHUGEPAGE);
  for (long i = 0; i < pages; i++)
    memory[i * page] = 1;
  munmap((void *)memory, size);
}

static void nested(void) {
  touch(1000);
  POMP_Begin(&outer);
  touch(2000);
  for (int i = 0; i < 2; i++) {
    POMP_Begin(&inner);
    touch(4000);
    POMP_End(&inner);
  }
  POMP_End(&outer);
}

static void threads(void) {
  PARALLEL(par, num_threads(2))
  touch(1000 + 1000 * omp_get_thread_num());
  POMP_Critical_enter(&crit);
#pragma omp critical
  {
    POMP_Critical_begin(&crit);
    touch(4000);
    POMP_Critical_end(&crit);
  }
  POMP_Critical_exit(&crit);
  END_PARALLEL(par)
}

static void tasks(void) {
  PARALLEL(par, num_threads(2))
  if (omp_get_thread_num() == 0) {
    POMP_Begin(&outer);
    touch(500);
    for (int i = 0; i < 10; i++) {
      TASK(job, )
      touch(300);
      END_TASK(job)
    }
    POMP_End(&outer);
  }
  END_PARALLEL(par)
}

static void *foreign(void *unused) {
  POMP_Begin(&inner);
  touch(1000);
  POMP_End(&inner);
  return unused;
}

static void one_after_the_other(int count) {
  for (int i = 0; i < count; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, foreign, 0);
    pthread_join(thread, 0);
  }
}

static void child(void) {
  foreign(0);
  if (fork() == 0) {
    POMP_Begin(&outer);
    touch(3000);
    POMP_End(&outer);
    exit(0);
  }
  wait(0);
}

static void muted(void) {
  POMP_Begin(&outer);
  touch(1000);
  POMP_Off();
  POMP_Begin(&inner);
  touch(2000);
  POMP_End(&inner);
  POMP_On();
  POMP_End(&outer);
}

static void descriptors(void) {
  foreign(0);
  printf("%d\n", open("/dev/null", O_RDONLY));
}

/* The other thread touches what it does before the second profile without an event after it. */
static void snapshots(void) {
  POMP_Begin(&outer);
  touch(1000);
  POMP_Snapshot();
  POMP_End(&outer);
  PARALLEL(par, num_threads(2))
  if (omp_get_thread_num() == 1)
    touch(3000);
#pragma omp barrier
  if (omp_get_thread_num() == 0)
    POMP_Snapshot();
#pragma omp barrier
  END_PARALLEL(par)
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "nested"))
    nested();
  if (!strcmp(what, "threads"))
    threads();
  if (!strcmp(what, "tasks"))
    tasks();
  if (!strcmp(what, "foreign"))
    one_after_the_other(20);
  if (!strcmp(what, "child"))
    child();
  if (!strcmp(what, "muted"))
    muted();
  if (!strcmp(what, "snapshots"))
    snapshots();
  if (!strcmp(what, "descriptors"))
    descriptors();
  return 0;
}
