/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/stack.h"

#include "location/arena.h"
#include "location/service.h"
#include "location/thread.h"
#include "system/init_lock.h"

#include <string.h>

enum { FIRST_FRAMES = 64 };

static struct pomp_stack_record *make_record(uint32_t location, uint32_t capacity) {
  struct pomp_stack_record *r = pomp_arena_record(sizeof *r + capacity * sizeof *r->frames);
  if (!r)
    return NULL;
  r->location = location;
  r->capacity = capacity;
  r->frame_size = sizeof *r->frames;
  return r;
}

static bool make(struct pomp_thread *t) {
  struct pomp_stack *stack = t->stack;
  stack->record = make_record(t->location->id, FIRST_FRAMES);
  if (!stack->record)
    return false;
  pomp_arena_publish(stack->record, POMP_RECORD_STACK);
  return true;
}

/* The new record is published before the old one is withdrawn.  A reader finds one of them, or both
 * with the same frames; then the later one counts. */
static bool replace_record(struct pomp_stack *stack) {
  struct pomp_stack_record *old = stack->record;
  struct pomp_stack_record *r = make_record(old->location, old->capacity * 2);
  if (!r)
    return false;
  memcpy(r->frames, old->frames, old->depth * sizeof *r->frames);
  r->depth = old->depth;
  pomp_arena_publish(r, POMP_RECORD_STACK);
  stack->record = r;
  pomp_arena_publish(old, POMP_RECORD_PAD);
  return true;
}

static bool grow(struct pomp_stack *stack) {
  bool grown = false;
  if (stack->overflow || stack->record->capacity >= POMP_MOST_FRAMES || !pomp_init_lock())
    return false;
  if (stack->record->depth == stack->record->capacity)
    grown = replace_record(stack);
  pomp_init_unlock();
  return grown;
}

bool pomp_stack_grow(struct pomp_thread *t) {
  if (grow(t->stack))
    return true;
  t->location->dropped++;
  t->stack->overflow++;
  pomp_mode_settle(t);
  return false;
}

void pomp_stack_overflow_ends(struct pomp_thread *t, uint64_t exits) {
  if (!t->stack->overflow)
    return;
  t->stack->overflow -= exits;
  pomp_mode_settle(t);
}

static void empty(struct pomp_thread *t) {
  struct pomp_stack_record *r = t->stack->record;
  memset(r->frames, 0, r->depth * sizeof *r->frames);
  r->depth = t->skipped = 0;
  t->stack->base = 0;
  pomp_stack_overflow_ends(t, t->stack->overflow);
}

static void mute(struct pomp_thread *t, uint64_t now) {
  struct pomp_stack_record *r = t->stack->record;
  for (uint32_t i = 0; i < r->depth; i++) {
    r->frames[i].flags |= POMP_FRAME_MUTED | POMP_FRAME_UNRECORDED;
    r->frames[i].slot = (uintptr_t)t->nowhere;
    r->frames[i].path = 0;
    r->frames[i].start = r->frames[i].since = now;
  }
}

struct pomp_frame *pomp_stack_search(struct pomp_thread *t, uint32_t region, unsigned kinds) {
  struct pomp_stack_record *r = t->stack->record;
  for (uint32_t i = r->depth; i-- > 0;) {
    if (pomp_is(&r->frames[i], region, kinds))
      return &r->frames[i];
    if (r->frames[i].kind == POMP_FRAME_TASK && !(kinds & POMP_ACROSS_TASKS))
      return NULL;
  }
  return NULL;
}

/* In the order in which they were entered; each is kept as it stands in a frame. */
static void push_muted_visits(struct pomp_thread *t) {
  uint32_t count = t->skipped;
  t->skipped = 0;
  for (uint32_t i = 0; i < count; i++) {
    struct pomp_frame kept = {.kind_phase_flags = t->muted_visits[i].kind_phase_flags};
    pomp_push(t, t->muted_visits[i].region, kept.kind, NULL, kept.phase, t->location->last);
  }
}

void pomp_settle(struct pomp_thread *t) {
  if (t->skipped)
    push_muted_visits(t);
  pomp_mode_settle(t);
}

/* Frames that were open at the fork book nothing in the child.  Other threads do not exist there.
 */
static void restart(struct pomp_thread *t, bool lives, uint64_t now) {
  if (lives)
    mute(t, now);
  else
    empty(t);
}

const struct pomp_service pomp_stack_service = {.make = make, .restart = restart};
