/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "creation.h"

#include "export.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct waiting {
  const struct pomp2_handle *handle;
  pomp2_task task;
};

_Static_assert(sizeof(void *) >= sizeof(pomp2_task), "a task is handed on as a pointer");

/* Tasks that were not handed on, the oldest first. */
static struct waiting *waiting;
static size_t count, room;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static __thread pomp2_task created, handed;
static __thread bool is_created, is_handed;

static void remove_at(size_t place) {
  count--;
  memmove(waiting + place, waiting + place + 1, (count - place) * sizeof *waiting);
}

void pomp2_created(const struct pomp2_handle *handle, pomp2_task task) {
  created = task;
  is_created = true;
  pthread_mutex_lock(&mutex);
  if (count == room) {
    room = room ? 2 * room : 64;
    waiting = realloc(waiting, room * sizeof *waiting);
    if (!waiting)
      abort();
  }
  waiting[count++] = (struct waiting){handle, task};
  pthread_mutex_unlock(&mutex);
}

/* The task is the newest, except for tasks that other threads have just created. */
void *POMP_Get_creation(void) {
  if (!is_created)
    return NULL;
  is_created = false;
  pthread_mutex_lock(&mutex);
  for (size_t place = count; place-- > 0;)
    if (waiting[place].task == created) {
      remove_at(place);
      break;
    }
  pthread_mutex_unlock(&mutex);
  return (void *)(intptr_t)created;
}

void POMP_Set_creation(void *creation) {
  handed = (pomp2_task)(intptr_t)creation;
  is_handed = true;
}

pomp2_task pomp2_taken(const struct pomp2_handle *handle) {
  pomp2_task task = handed;
  if (is_handed) {
    is_handed = false;
    return task;
  }
  pthread_mutex_lock(&mutex);
  task = 0;
  for (size_t place = 0; place < count; place++)
    if (waiting[place].handle == handle) {
      task = waiting[place].task;
      remove_at(place);
      break;
    }
  pthread_mutex_unlock(&mutex);
  return task;
}
