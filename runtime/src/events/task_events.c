/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tasks: their creation, their blocks, and the waits for them. */
#include "events/task_events.h"
#include "events/event.h"
#include "events/fast_task.h"
#include "events/prices.h"
#include "tasks/left_team.h"
#include "tasks/task.h"
#include "tasks/untied.h"

#define CREATE POMP_KIND(POMP_FRAME_CREATE)
#define WAIT POMP_KIND(POMP_FRAME_WAIT)

POMP_PRICED_FAST(create, Task_enter, POMP_PRICE_TASK_ENTER, pomp_price_end) {
  struct pomp_thread *t = pomp_arrive();
  uint32_t region = t ? pomp_region(d) : 0;
  if (!region)
    return;
  uint64_t *slot = pomp_is_muted() ? NULL : pomp_below(t, pomp_here(t), region);
  if (slot)
    slot[POMP_CREATE_C]++;
  uint64_t now = pomp_stamp(t);
  pomp_trace_entered(t, pomp_push(t, region, POMP_FRAME_CREATE, slot, POMP_CREATE_T, now), now);
  pomp_untied_may_move(t);
}

POMP_PRICED_FAST(created, Task_exit, POMP_PRICE_TASK_EXIT, pomp_price_end) {
  pomp_leave(d, CREATE);
}

static void *creation_of(const struct pomp_frame *f) {
  return f && f->kind == POMP_FRAME_CREATE ? (void *)(uintptr_t)f->path : NULL;
}

static __attribute__((noinline)) void *get_creation(void) {
  struct pomp_thread *t = pomp_is_running() ? pomp_current_thread() : NULL;
  return t ? creation_of(pomp_top(t)) : NULL;
}

void *POMP_Get_creation(void) {
  struct pomp_thread *t = pomp_self;
  return pomp_mode_counts(pomp_mode_of(t)) ? creation_of(pomp_fast_top(t)) : get_creation();
}

static __attribute__((noinline)) void set_creation(uint32_t creation) {
  struct pomp_thread *t = creation ? pomp_arrive() : NULL;
  if (t)
    t->creation = creation;
}

void POMP_Set_creation(void *handed) {
  struct pomp_thread *t = pomp_self;
  uint32_t creation = (uint32_t)(uintptr_t)handed;
  if (__builtin_expect(creation && pomp_mode_counts(pomp_mode_of(t)), 1))
    t->creation = creation;
  else
    set_creation(creation);
}

/* A task may run wherever a thread waits, also where the parallel region is behind. */
static uint64_t *region_row(struct pomp_thread *t) {
  const struct pomp_stack_record *r = t->stack->record;
  for (uint32_t i = r->depth; i-- > 0;)
    if (r->frames[i].kind == POMP_FRAME_PARALLEL)
      return (uint64_t *)(uintptr_t)r->frames[i].slot;
  if (pomp_has_left_team(t))
    return pomp_team_exit_row(t);
  return r->depth ? (uint64_t *)(uintptr_t)r->frames[0].slot : t->nowhere;
}

/* Below its creation or, where that is not known, below the parallel region. */
static uint64_t *task_row(struct pomp_thread *t, uint32_t region) {
  uint64_t *row = pomp_path_task(t, t->creation, region | POMP_PATH_TASK);
  t->creation = 0;
  return row ? row : pomp_below(t, region_row(t), region | POMP_PATH_TASK);
}

struct pomp_frame *pomp_task_begin(struct pomp_thread *t, uint32_t region, bool counts) {
  pomp_task_end_lost(t);
  uint64_t *slot = pomp_is_muted() ? NULL : task_row(t, region);
  if (slot && counts)
    slot[POMP_EXEC_C]++;
  return pomp_task_push(t, region, slot, pomp_stamp(t));
}

POMP_PRICED_FAST(task_begin, Task_begin, POMP_PRICE_TASK_BEGIN, pomp_price_end) {
  struct pomp_thread *t = pomp_arrive();
  uint32_t region = t ? pomp_region(d) : 0;
  struct pomp_frame *f = region ? pomp_task_begin(t, region, true) : NULL;
  if (f && pomp_has_flag(d, POMP_UNTIED))
    pomp_untied_begins(t, f);
  else if (f)
    pomp_trace_entered(t, f, f->since);
}

POMP_PRICED_FAST(task_end, Task_end, POMP_PRICE_TASK_END, pomp_price_end) {
  struct pomp_thread *t = pomp_arrive();
  uint32_t region = t ? pomp_region(d) : 0;
  if (!region)
    return;
  uint64_t now = pomp_stamp(t);
  if (pomp_find_last(t, region, POMP_KIND(POMP_FRAME_TASK) | POMP_ACROSS_TASKS, now))
    pomp_close_top(t, now);
}

/* A number that no other task of the process has; an untied one's is even. */
static void *tied_token(const struct pomp_thread *t) {
  uint64_t base = t->stack->base;
  return (void *)(uintptr_t)(base ? (uint64_t)(t->location->id + 1) << 20 | base << 1 | 1 : 0);
}

static void *get_task(void) {
  struct pomp_thread *t = pomp_is_running() ? pomp_current_thread() : NULL;
  if (t)
    pomp_task_end_lost(t);
  if (!t || !t->stack->base)
    return NULL;
  struct pomp_frame *f = pomp_base(t->stack);
  if (f->flags & POMP_FRAME_UNTIED && pomp_is_in_explicit_task(t->stack))
    return (void *)pomp_untied_token(f);
  return tied_token(t);
}

static __attribute__((noinline)) void *priced_get_task(void) {
  struct pomp_price *p = pomp_price_of(POMP_PRICE_GET_TASK);
  uint64_t from = pomp_price_begin(p);
  void *task = get_task();
  if (__builtin_expect(from != 0, 0))
    pomp_price_end(p, from);
  return task;
}

void *POMP_Get_task(void) {
  struct pomp_thread *t = pomp_self;
  if (!pomp_mode_counts(pomp_mode_of(t)) || !fast_stays(t) ||
      t->prices[POMP_PRICE_GET_TASK].turn >= POMP_PRICE_EVERY - 1)
    return priced_get_task();
  t->prices[POMP_PRICE_GET_TASK].turn++;
  return tied_token(t);
}

static void set_task(void *task) {
  struct pomp_thread *t = pomp_is_running() ? pomp_current_thread() : NULL;
  uintptr_t token = (uintptr_t)task;
  if (token && !(token & 1)) {
    if (pomp_is_running() && (t = pomp_arrive()))
      pomp_untied_resumes(t, token);
    return;
  }
  if (!t || tied_token(t) == task)
    return;
  uint64_t base = token >> 1 & ((1u << 19) - 1);
  pomp_settle(t);
  if (!token || token >> 20 == t->location->id + 1)
    pomp_task_end_to(t, base);
}

static __attribute__((noinline)) void priced_set_task(void *task) {
  struct pomp_price *p = pomp_price_of(POMP_PRICE_SET_TASK);
  uint64_t from = pomp_price_begin(p);
  set_task(task);
  if (__builtin_expect(from != 0, 0))
    pomp_price_end(p, from);
}

void POMP_Set_task(void *task) {
  struct pomp_thread *t = pomp_self;
  if (pomp_mode_counts(pomp_mode_of(t)) && tied_token(t) == task &&
      t->prices[POMP_PRICE_SET_TASK].turn < POMP_PRICE_EVERY - 1)
    t->prices[POMP_PRICE_SET_TASK].turn++;
  else
    priced_set_task(task);
}

static void may_move(void) {
  if (pomp_current_thread() && pomp_is_running())
    pomp_untied_may_move(pomp_self);
}

static void enter_wait(OMPRegDescr *d) {
  pomp_enter(d, POMP_FRAME_WAIT, 0);
  may_move();
}

POMP_PRICED_FAST(wait, Taskwait_enter, POMP_PRICE_WAIT_ENTER, pomp_price_end) { enter_wait(d); }

POMP_PRICED_FAST(waited, Taskwait_exit, POMP_PRICE_WAIT_EXIT, pomp_price_end) {
  pomp_leave(d, WAIT);
}

void POMP_Taskyield_enter(OMPRegDescr *d) { enter_wait(d); }

void POMP_Taskyield_exit(OMPRegDescr *d) { pomp_leave(d, WAIT); }

void POMP_Taskgroup_enter(OMPRegDescr *d) { pomp_enter(d, POMP_FRAME_WAIT, 0); }

void POMP_Taskgroup_begin(OMPRegDescr *d) { pomp_step(d, WAIT, POMP_BODY_T); }

void POMP_Taskgroup_end(OMPRegDescr *d) {
  pomp_step(d, WAIT, POMP_EXIT_BAR_T);
  may_move();
}

void POMP_Taskgroup_exit(OMPRegDescr *d) { pomp_leave(d, WAIT); }

void POMP_Taskloop_enter(OMPRegDescr *d) {
  pomp_enter_part(d, POMP_FRAME_WAIT);
  may_move();
}

void POMP_Taskloop_exit(OMPRegDescr *d) { pomp_leave(d, WAIT); }
