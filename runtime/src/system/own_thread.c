/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/own_thread.h"

#include "system/clock.h"
#include "system/syscalls.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)
#define LOOKS_EVERY (SECOND / 4) /* whether the program's threads are gone */

static _Atomic int living;

void __kmpc_global_thread_num(void) __attribute__((weak));
int omp_get_num_places(void) __attribute__((weak));
int omp_get_place_num_procs(int place) __attribute__((weak));
void omp_get_place_proc_ids(int place, int *ids) __attribute__((weak));

static bool add_place(int place, cpu_set_t *processors) {
  int ids[CPU_SETSIZE];
  int count = omp_get_place_num_procs(place);
  if (count > CPU_SETSIZE)
    return false;
  omp_get_place_proc_ids(place, ids);
  for (int i = 0; i < count; i++)
    CPU_SET(ids[i], processors);
  return true;
}

/* libomp binds later, and asking it would make it bind now. */
void pomp_own_thread_places(cpu_set_t *processors) {
  CPU_ZERO(processors);
  if (__kmpc_global_thread_num || !omp_get_num_places || !omp_get_place_num_procs ||
      !omp_get_place_proc_ids)
    return;
  for (int place = omp_get_num_places() - 1; place >= 0; place--)
    if (!add_place(place, processors)) {
      CPU_ZERO(processors);
      return;
    }
}

/* libgomp binds the initial thread when it is loaded, and a thread started from there would share
 * its processor.  This gives the new thread the processors of all places. */
static void run_at_all_places(pthread_attr_t *attributes) {
  cpu_set_t processors;
  pomp_own_thread_places(&processors);
  if (CPU_COUNT(&processors))
    pthread_attr_setaffinity_np(attributes, sizeof processors, &processors);
}

/* The program's signals are for its own threads. */
bool pomp_own_thread_start(struct pomp_own_thread *own, void *(*run)(void *)) {
  sigset_t all, before;
  pthread_attr_t attributes;
  sigfillset(&all);
  if (pthread_attr_init(&attributes) != 0)
    return false;
  pthread_attr_setstacksize(&attributes, (size_t)1 << 18);
  run_at_all_places(&attributes);
  atomic_fetch_add(&living, 1);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int error = pthread_create(&own->id, &attributes, run, own);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (error)
    atomic_fetch_sub(&living, 1);
  own->runs = !error;
  errno = error;
  return own->runs;
}

void pomp_own_thread_wake(struct pomp_own_thread *own, uint32_t flag) {
  atomic_fetch_or(&own->flags, flag);
  syscall(SYS_futex, &own->flags, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* A process whose main thread has left by pthread_exit ends with the last of the others.  The line
 * says "pid (name) state ...", the number of threads is the 18th word from the state. */
static bool are_last(void) {
  char line[1024];
  int fd = sys_open("/proc/self/stat", O_RDONLY | O_CLOEXEC, 0);
  ssize_t length = fd < 0 ? 0 : sys_read(fd, line, sizeof line - 1);
  if (fd >= 0)
    sys_close(fd);
  line[length > 0 ? length : 0] = '\0';
  char *word = strrchr(line, ')');
  if (!word || word[1] != ' ' || word[2] != 'Z')
    return false;
  word += 2;
  for (int i = 1; word && i < 18; i++)
    word = strchr(word + 1, ' ');
  return word && atoi(word) <= 1 + atomic_load(&living);
}

static bool is_time_to_look(struct pomp_own_thread *own) {
  uint64_t now = pomp_clock_nanoseconds();
  if (now < own->next_look)
    return false;
  own->next_look = now + LOOKS_EVERY;
  return true;
}

uint32_t pomp_own_thread_wait(struct pomp_own_thread *own, uint64_t nanoseconds) {
  uint64_t left = nanoseconds < LOOKS_EVERY ? nanoseconds : LOOKS_EVERY;
  struct timespec time = {(time_t)(left / SECOND), (long)(left % SECOND)};
  if (left)
    syscall(SYS_futex, &own->flags, FUTEX_WAIT_PRIVATE, 0, &time, NULL, 0);
  uint32_t flags = atomic_fetch_and(&own->flags, (uint32_t)POMP_OWN_THREAD_OVER);
  if (is_time_to_look(own) && are_last())
    flags |= POMP_OWN_THREAD_OVER;
  if (flags & POMP_OWN_THREAD_OVER)
    atomic_fetch_sub(&living, 1);
  return flags;
}

void pomp_own_thread_finish(struct pomp_own_thread *own) {
  if (!own->runs)
    return;
  pomp_own_thread_wake(own, POMP_OWN_THREAD_OVER);
  pthread_join(own->id, NULL);
  own->runs = false;
}
