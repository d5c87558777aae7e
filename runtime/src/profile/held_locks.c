/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/held_locks.h"

#include "location/arena.h"
#include "location/service.h"
#include "profile/path.h"
#include "system/init_lock.h"

#include <string.h>

enum { FIRST_LOCKS = 4, MOST_LOCKS = 4096 };

static struct pomp_held_record *make_record(uint32_t location, uint32_t capacity) {
  struct pomp_held_record *r = pomp_arena_record(sizeof *r + capacity * sizeof *r->locks);
  if (!r)
    return NULL;
  r->location = location;
  r->capacity = capacity;
  r->entry_size = sizeof *r->locks;
  return r;
}

static bool make(struct pomp_thread *t) {
  t->held = make_record(t->location->id, FIRST_LOCKS);
  if (!t->held)
    return false;
  pomp_arena_publish(t->held, POMP_RECORD_HELD);
  return true;
}

static bool replace_record(struct pomp_thread *t) {
  struct pomp_held_record *old = t->held;
  struct pomp_held_record *r = make_record(old->location, old->capacity * 2);
  if (!r)
    return false;
  memcpy(r->locks, old->locks, old->count * sizeof *r->locks);
  r->count = old->count;
  pomp_arena_publish(r, POMP_RECORD_HELD);
  t->held = r;
  pomp_arena_publish(old, POMP_RECORD_PAD);
  return true;
}

static bool make_room(struct pomp_thread *t) {
  bool made = false;
  if (t->held->count < t->held->capacity)
    return true;
  if (t->held->capacity >= MOST_LOCKS || !pomp_init_lock())
    return false;
  made = replace_record(t);
  pomp_init_unlock();
  return made;
}

void pomp_held_locks_add(struct pomp_thread *t, void *lock, bool nestable, uint32_t region,
                         uint64_t *slot, uint64_t now) {
  struct pomp_held_lock stale;
  if (!nestable)
    pomp_held_locks_take(t, lock, &stale);
  if (!make_room(t)) {
    t->location->dropped++;
    return;
  }
  t->held->locks[t->held->count++] =
      (struct pomp_held_lock){(uintptr_t)lock, region, pomp_path_of(slot), now, (uintptr_t)slot};
}

bool pomp_held_locks_take(struct pomp_thread *t, void *lock, struct pomp_held_lock *entry) {
  struct pomp_held_record *r = t->held;
  for (uint32_t i = r->count; i-- > 0;) {
    if (r->locks[i].lock != (uintptr_t)lock)
      continue;
    *entry = r->locks[i];
    memmove(&r->locks[i], &r->locks[i + 1], (r->count - i - 1) * sizeof *r->locks);
    r->count--;
    return true;
  }
  return false;
}

static void close_all(struct pomp_thread *t, uint64_t now) {
  struct pomp_held_record *r = t->held;
  for (; r->count; r->count--) {
    struct pomp_held_lock *entry = &r->locks[r->count - 1];
    uint64_t *slot = (uint64_t *)(uintptr_t)entry->slot;
    slot[POMP_BODY_T] += pomp_elapsed(entry->since, now);
    slot[POMP_EXEC_T] += pomp_elapsed(entry->since, now);
  }
}

static void mute(struct pomp_thread *t, bool lives, uint64_t now) {
  (void)lives, (void)now;
  for (uint32_t i = 0; i < t->held->count; i++) {
    t->held->locks[i].region = 0;
    t->held->locks[i].slot = (uintptr_t)t->nowhere;
  }
}

const struct pomp_service pomp_held_locks_service = {
    .make = make, .leave = close_all, .restart = mute};
