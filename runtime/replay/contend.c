/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "contend.h"

#include "fresh.h"
#include "locks.h"

#include <stdlib.h>

/* `place` is where its next row is; of the rows so far the one that was given up last. */
struct lock {
  int64_t number;
  uint64_t place;
  int64_t released;
  int32_t holder;
};

/* A course's next row. */
struct head {
  int64_t got;
  uint64_t course, row;
};

static bool is_before(const struct head *one, const struct head *other) {
  return one->got < other->got || (one->got == other->got && one->course < other->course);
}

static int by_number(const void *one, const void *other) {
  int64_t a = (*(struct lock *const *)one)->number, b = (*(struct lock *const *)other)->number;
  return (a > b) - (a < b);
}

/* How many rows there are of each, in their order of being found. */
static struct lock *count_locks(const struct pomp_contending *run, struct pomp_locks *found) {
  struct lock *locks = NULL;
  uint64_t room = 0;
  for (uint64_t course = 0; course < run->courses; course++)
    for (uint64_t row = 0; row < run->counts[course]; row++) {
      struct pomp_lock *entry = pomp_locks_find(found, run->lock[course][row]);
      if (entry && found->count > room) {
        room = found->room;
        struct lock *more = realloc(locks, room * sizeof *locks);
        if (!more)
          entry = NULL;
        else
          locks = more;
      }
      if (!entry) {
        free(locks);
        return NULL;
      }
      struct lock *lock = &locks[entry - found->entries];
      if (entry->newest < 0) {
        entry->newest = 0;
        *lock = (struct lock){.number = entry->lock, .holder = -1};
      }
      lock->place++;
    }
  return locks;
}

/* Counts become where the rows begin, in the order of the locks' numbers. */
static bool place_locks(struct pomp_contending *run, struct lock *locks, uint32_t count) {
  struct lock **order = malloc((count + 1) * sizeof *order);
  if (!order)
    return false;
  for (uint32_t i = 0; i < count; i++)
    order[i] = &locks[i];
  qsort(order, count, sizeof *order, by_number);
  uint64_t place = 0;
  run->criticals = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t rows = order[i]->place;
    order[i]->place = place;
    place += rows;
    if (order[i]->number < 0)
      run->criticals = place;
  }
  free(order);
  return true;
}

static void take(const struct pomp_contending *run, struct lock *lock, const struct head *head) {
  uint64_t to = lock->place++;
  int64_t asked = run->asked[head->course][head->row];
  int64_t released = run->released[head->course][head->row];
  int64_t freed = lock->holder >= 0 && lock->released > 0 ? lock->released : 0;
  int64_t until = freed < head->got ? freed : head->got;
  int32_t course = (int32_t)head->course;
  run->course[to] = course;
  run->row[to] = (int32_t)head->row;
  run->freed[to] = freed;
  run->holder[to] = lock->holder;
  run->waited[to] = freed > 0 && lock->holder != course && until > asked ? until - asked : 0;
  if (lock->holder < 0 || released >= lock->released) {
    lock->released = released;
    lock->holder = course;
  }
}

static void sink(struct head *heap, uint64_t count, uint64_t at) {
  for (uint64_t next; (next = 2 * at + 1) < count; at = next) {
    next += next + 1 < count && is_before(&heap[next + 1], &heap[next]);
    if (!is_before(&heap[next], &heap[at]))
      return;
    struct head moved = heap[at];
    heap[at] = heap[next];
    heap[next] = moved;
  }
}

/* All courses' rows in the order of time, and of the courses at one moment. */
static void merge(const struct pomp_contending *run, struct pomp_locks *found, struct lock *locks,
                  struct head *heap) {
  uint64_t count = 0;
  for (uint64_t course = 0; course < run->courses; course++)
    if (run->counts[course])
      heap[count++] = (struct head){run->got[course][0], course, 0};
  for (uint64_t at = count; at-- > 0;)
    sink(heap, count, at);
  while (count) {
    struct head *head = &heap[0];
    int64_t lock = run->lock[head->course][head->row];
    take(run, &locks[pomp_locks_find(found, lock) - found->entries], head);
    if (++head->row < run->counts[head->course])
      head->got = run->got[head->course][head->row];
    else
      *head = heap[--count];
    sink(heap, count, 0);
  }
}

int pomp_contend(struct pomp_contending *run) {
  struct pomp_locks found;
  if (!run->rows)
    return true;
  if (!pomp_locks_make(&found, 0))
    return false;
  struct lock *locks = count_locks(run, &found);
  struct head *heap = malloc(run->courses * sizeof *heap);
  bool is_fine = locks && heap && place_locks(run, locks, found.count);
  /* Makes room for one more, so that no later search has to. */
  is_fine = is_fine && pomp_locks_find(&found, locks->number);
  HAVE_READY(run->course, run->rows);
  HAVE_READY(run->row, run->rows);
  HAVE_READY(run->waited, run->rows);
  HAVE_READY(run->freed, run->rows);
  HAVE_READY(run->holder, run->rows);
  if (is_fine)
    merge(run, &found, locks, heap);
  free(heap);
  free(locks);
  pomp_locks_free(&found);
  return is_fine;
}
