/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompt/target_thread.h"

#include "location/service.h"
#include "system/init_lock.h"

#include <pthread.h>
#include <stdatomic.h>

static pthread_key_t key;
static _Atomic bool has_key;
static struct pomp_target_thread *unused;

void pomp_target_threads_prepare(void) {
  if (!atomic_load(&has_key) && pthread_key_create(&key, NULL) == 0)
    atomic_store(&has_key, true);
}

struct pomp_target_thread *pomp_target_thread(void) {
  return atomic_load_explicit(&has_key, memory_order_acquire) ? pthread_getspecific(key) : NULL;
}

static struct pomp_target_thread *make(void) {
  struct pomp_target_thread *t = unused;
  if (!t)
    return pomp_private(sizeof *t);
  unused = t->next_unused;
  *t = (struct pomp_target_thread){.intervals = t->intervals};
  return t;
}

struct pomp_target_thread *pomp_target_thread_made(void) {
  struct pomp_target_thread *t = pomp_target_thread();
  if (t || !atomic_load(&has_key) || !pomp_init_lock())
    return t;
  t = make();
  if (t)
    pthread_setspecific(key, t);
  pomp_init_unlock();
  return t;
}

static void detach(struct pomp_thread *location) {
  struct pomp_target_thread *t = pomp_target_thread();
  (void)location;
  if (!t)
    return;
  pthread_setspecific(key, NULL);
  t->next_unused = unused;
  unused = t;
}

const struct pomp_service pomp_target_thread_service = {.detach = detach};
