/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "stack.h"

#include "arena.h"
#include "close.h"
#include "mode.h"
#include "slow.h"
#include "team.h"

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

bool pomp_stack_make(struct pomp_stack *stack, uint32_t location) {
  stack->record = make_record(location, FIRST_FRAMES);
  if (!stack->record)
    return false;
  pomp_arena_publish(stack->record, POMP_RECORD_STACK);
  return true;
}

/* The old record is withdrawn only when the new one stands: a reader finds one
 * of them, or both with the same frames, of which the later counts. */
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
  if (stack->overflow || stack->record->capacity >= POMP_MOST_FRAMES || !pomp_slow_begin())
    return false;
  if (stack->record->depth == stack->record->capacity)
    grown = replace_record(stack);
  pomp_slow_end();
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

void pomp_stack_empty(struct pomp_thread *t) {
  struct pomp_stack_record *r = t->stack->record;
  memset(r->frames, 0, r->depth * sizeof *r->frames);
  r->depth = t->skipped = 0;
  t->stack->base = 0;
  pomp_stack_overflow_ends(t, t->stack->overflow);
}

void pomp_stack_mute(struct pomp_thread *t, uint64_t now) {
  struct pomp_stack_record *r = t->stack->record;
  for (uint32_t i = 0; i < r->depth; i++) {
    r->frames[i].flags |= POMP_FRAME_MUTED | POMP_FRAME_UNRECORDED;
    r->frames[i].slot = (uintptr_t)t->nowhere;
    r->frames[i].path = 0;
    r->frames[i].start = r->frames[i].since = now;
  }
}

void pomp_close_special(struct pomp_thread *t, struct pomp_frame *f, uint64_t now) {
  if (f->phase)
    pomp_book(f, f->phase, pomp_elapsed(f->since, now));
  if (f->kind != POMP_FRAME_FORK && f->kind != POMP_FRAME_CREATE)
    pomp_book(f, POMP_EXEC_T, pomp_elapsed(f->start, now));
  if (f->kind == POMP_FRAME_USER && !pomp_user_ends(f))
    pomp_book(f, POMP_INNER_T, pomp_elapsed(f->start, now));
  if (f->flags & POMP_FRAME_MASTER)
    pomp_team_give_back(t, (struct pomp_team *)(uintptr_t)f->team);
  else if (f->flags & POMP_FRAME_AWAY || f->kind == POMP_FRAME_TASK)
    pomp_suspend_closing(t, f, now);
}

void pomp_stack_pop(struct pomp_thread *t, uint64_t now) {
  struct pomp_stack_record *r = t->stack->record;
  pomp_close(t, &r->frames[r->depth - 1], now);
}

void pomp_stack_close_above(struct pomp_thread *t, struct pomp_frame *frame, uint64_t now) {
  struct pomp_stack_record *r = t->stack->record;
  while (&r->frames[r->depth - 1] > frame)
    pomp_stack_pop(t, now);
}

void pomp_stack_close_all(struct pomp_thread *t, uint64_t now) {
  t->skipped = 0;
  pomp_stack_overflow_ends(t, t->stack->overflow);
  while (t->stack->record->depth)
    pomp_stack_pop(t, now);
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
