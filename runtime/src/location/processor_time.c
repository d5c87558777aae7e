/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "location/processor_time.h"

#include "system/syscalls.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Nanoseconds of the initial thread. */
static uint64_t before_load, queued_before_load;

static bool is_initial(void) { return syscall(SYS_gettid) == getpid(); }

/* The nanoseconds that a living thread was in a processor's queue: the second number of its
 * schedstat (Linux, Documentation/scheduler/sched-stats); 0 if the system does not say. */
static uint64_t queued_of(pid_t thread) {
  char path[64], text[96];
  snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", (int)thread);
  int fd = sys_open(path, O_RDONLY | O_CLOEXEC, 0);
  ssize_t length = fd < 0 ? 0 : sys_read(fd, text, sizeof text - 1);
  if (fd >= 0)
    sys_close(fd);
  if (length <= 0)
    return 0;
  text[length] = 0;
  char *behind;
  uint64_t ran = strtoull(text, &behind, 10);
  return ran ? strtoull(behind, NULL, 10) : 0;
}

void pomp_processor_time_load(void) {
  if (!is_initial())
    return;
  before_load = pomp_clock_of_thread(CLOCK_THREAD_CPUTIME_ID);
  queued_before_load = queued_of(getpid());
}

/* The initial thread has worked since the library was loaded, others have since they came. */
void pomp_processor_time_begin(struct pomp_thread *t) {
  t->ran = t->location->ran;
  t->has_clock = pthread_getcpuclockid(pthread_self(), &t->clock) == 0;
  if (t->has_clock)
    t->ran -= is_initial() ? before_load : pomp_clock_of_thread(t->clock);
  t->system_id = (pid_t)syscall(SYS_gettid);
  t->queued = t->location->queued;
  if (is_initial())
    t->queued -= queued_before_load;
}

/* The clock of a thread that has ended gives 0; then the stored time stays. */
void pomp_processor_time_read(struct pomp_thread *t) {
  uint64_t ran = t->has_clock ? pomp_clock_of_thread(t->clock) : 0;
  if (ran)
    __atomic_store_n(&t->location->ran, t->ran + ran, __ATOMIC_RELAXED);
  uint64_t queued = ran ? queued_of(t->system_id) : 0;
  if (queued)
    __atomic_store_n(&t->location->queued, t->queued + queued, __ATOMIC_RELAXED);
}

void pomp_processor_time_read_all(void) {
  for (struct pomp_thread *t = pomp_threads; t; t = t->next)
    if (t->taken)
      pomp_processor_time_read(t);
}

void pomp_processor_time_restart(struct pomp_thread *t, bool lives) {
  t->location->ran = t->location->queued = 0;
  t->has_clock = false;
  before_load = queued_before_load = 0;
  if (lives)
    pomp_processor_time_begin(t);
}
