/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "location/processor_time.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t before_load; /* nanoseconds, of the initial thread */

static bool is_initial(void) { return syscall(SYS_gettid) == getpid(); }

void pomp_processor_time_load(void) {
  if (is_initial())
    before_load = pomp_clock_of_thread(CLOCK_THREAD_CPUTIME_ID);
}

/* The initial thread has worked since the library was loaded, others have since they came. */
void pomp_processor_time_begin(struct pomp_thread *t) {
  t->ran = t->location->ran;
  t->has_clock = pthread_getcpuclockid(pthread_self(), &t->clock) == 0;
  if (t->has_clock)
    t->ran -= is_initial() ? before_load : pomp_clock_of_thread(t->clock);
}

/* The clock of a thread that has ended gives 0; then the stored time stays. */
void pomp_processor_time_read(struct pomp_thread *t) {
  uint64_t ran = t->has_clock ? pomp_clock_of_thread(t->clock) : 0;
  if (ran)
    __atomic_store_n(&t->location->ran, t->ran + ran, __ATOMIC_RELAXED);
}

void pomp_processor_time_read_all(void) {
  for (struct pomp_thread *t = pomp_threads; t; t = t->next)
    if (t->taken)
      pomp_processor_time_read(t);
}

void pomp_processor_time_restart(struct pomp_thread *t, bool lives) {
  t->location->ran = 0;
  t->has_clock = false;
  before_load = 0;
  if (lives)
    pomp_processor_time_begin(t);
}
