/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "contend.h"

#include "locks.h"
#include "populate.h"

#include <stdlib.h>

/* `place` is the lock's next row.  `before` is the row with the latest release so far: its time,
 * before all times if there is none, and its location. */
struct lock {
  int64_t number;
  uint64_t place;
  int64_t released;
  int32_t holder, before;
};

/* A location's locks, from its next row on; the lock of the row before often is that row's, too.
 * `match` is the first match of a tournament that it takes part in.  A location without rows left
 * loses every match. */
struct location {
  int64_t next;
  uint64_t order;
  uint64_t row, rows;
  const int64_t *lock, *asked, *got, *released;
  struct lock *last;
  uint64_t match;
};

static inline bool is_before(const struct location *one, const struct location *other) {
  return one->next < other->next || (one->next == other->next && one->order < other->order);
}

static int by_number(const void *one, const void *other) {
  int64_t a = (*(struct lock *const *)one)->number, b = (*(struct lock *const *)other)->number;
  return (a > b) - (a < b);
}

/* How many rows there are of each: one more than `newest` is in the end. */
static bool count_locks(const struct pomp_contending *run, struct pomp_locks *found) {
  for (uint64_t location = 0; location < run->locations; location++) {
    const int64_t *locks = run->lock[location];
    struct pomp_lock *entry = NULL;
    for (uint64_t row = 0; row < run->counts[location]; row++) {
      if (!entry || entry->lock != locks[row])
        entry = pomp_locks_find(found, locks[row]);
      if (!entry)
        return false;
      entry->newest++;
    }
  }
  return true;
}

/* In their order of being found; their rows are in the order of their numbers. */
static struct lock *place_locks(struct pomp_contending *run, const struct pomp_locks *found) {
  struct lock *locks = malloc(found->count * sizeof *locks);
  struct lock **order = malloc(found->count * sizeof *order);
  if (!locks || !order) {
    free(locks);
    free(order);
    return NULL;
  }
  for (uint32_t i = 0; i < found->count; i++) {
    locks[i] = (struct lock){found->entries[i].lock, 0, INT64_MIN, -1, -1};
    locks[i].place = (uint64_t)found->entries[i].newest + 1;
    order[i] = &locks[i];
  }
  qsort(order, found->count, sizeof *order, by_number);
  uint64_t place = 0;
  run->criticals = 0;
  for (uint32_t i = 0; i < found->count; i++) {
    uint64_t rows = order[i]->place;
    order[i]->place = place;
    place += rows;
    if (order[i]->number < 0)
      run->criticals = place;
  }
  free(order);
  return locks;
}

static inline struct lock *lock_of(const struct pomp_locks *found, struct lock *locks,
                                   struct location *from) {
  int64_t number = from->lock[from->row];
  if (from->last->number != number)
    from->last = &locks[*pomp_locks_place(found, number) - 1];
  return from->last;
}

static inline void take(const struct pomp_contending *run, struct lock *lock,
                        const struct location *from) {
  uint64_t row = from->row, to = lock->place++;
  int64_t got = from->next, asked = from->asked[row], released = from->released[row];
  int64_t given_up = lock->released, freed = given_up > 0 ? given_up : 0;
  int64_t until = freed < got ? freed : got;
  int32_t location = (int32_t)from->order, holder = lock->holder;
  run->location[to] = location;
  run->row[to] = (int32_t)row;
  run->freed[to] = freed;
  run->before[to] = lock->before;
  run->waited[to] = freed > 0 && holder != location && until > asked ? until - asked : 0;
  if (released >= given_up) {
    lock->released = released;
    lock->holder = location;
    lock->before = (int32_t)to;
  }
}

static inline void go_on(struct location *from) {
  if (++from->row < from->rows)
    from->next = from->got[from->row];
  else
    *from = (struct location){.next = INT64_MAX, .order = UINT64_MAX, .match = from->match};
}

/* Returns the winner of a match whose earlier matches are played, and writes down their losers. */
static struct location *play(struct location *locations, uint64_t count, uint64_t match,
                             struct location **losers) {
  if (match >= count)
    return &locations[match - count];
  struct location *one = play(locations, count, 2 * match, losers);
  struct location *other = play(locations, count, 2 * match + 1, losers);
  bool wins = is_before(one, other);
  losers[match] = wins ? other : one;
  return wins ? one : other;
}

/* Visits the rows of all locations in time order.  A location that has won and goes on has to win
 * its matches again. */
static void merge(const struct pomp_contending *run, const struct pomp_locks *found,
                  struct lock *locks, struct location *locations, struct location **losers) {
  struct location *first = play(locations, run->locations, 1, losers);
  for (uint64_t i = 0; i < run->rows; i++) {
    take(run, lock_of(found, locks, first), first);
    go_on(first);
    for (uint64_t match = first->match; match; match /= 2)
      if (is_before(losers[match], first)) {
        struct location *won = losers[match];
        losers[match] = first;
        first = won;
      }
  }
}

static struct location *make_courses(const struct pomp_contending *run, struct lock *locks) {
  struct location *locations = malloc(run->locations * sizeof *locations);
  for (uint64_t i = 0; locations && i < run->locations; i++) {
    locations[i] = (struct location){.order = i,
                                     .row = UINT64_MAX,
                                     .rows = run->counts[i],
                                     .lock = run->lock[i],
                                     .asked = run->asked[i],
                                     .got = run->got[i],
                                     .released = run->released[i],
                                     .last = locks,
                                     .match = (run->locations + i) / 2};
    go_on(&locations[i]);
  }
  return locations;
}

int pomp_contend(struct pomp_contending *run) {
  struct pomp_locks found;
  if (!run->rows)
    return true;
  if (!pomp_locks_make(&found, 0))
    return false;
  struct lock *locks = count_locks(run, &found) ? place_locks(run, &found) : NULL;
  struct location *locations = make_courses(run, locks);
  struct location **losers = malloc(run->locations * sizeof *losers);
  bool is_fine = locks && locations && losers;
  HAVE_READY(run->location, run->rows);
  HAVE_READY(run->row, run->rows);
  HAVE_READY(run->waited, run->rows);
  HAVE_READY(run->freed, run->rows);
  HAVE_READY(run->before, run->rows);
  if (is_fine)
    merge(run, &found, locks, locations, losers);
  free(losers);
  free(locations);
  free(locks);
  pomp_locks_free(&found);
  return is_fine;
}
