/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tasks/task.h"

#include "counters/counters.h"
#include "state.h"
#include "tasks/close.h"
#include "tasks/untied.h"

static void end_newest(struct pomp_thread *t, uint64_t now) {
  struct pomp_frame *f = pomp_base(t->stack);
  pomp_stack_overflow_ends(t, t->stack->overflow);
  pomp_close_above(t, f, now);
  pomp_close_top(t, now);
}

static bool is_open(const struct pomp_stack *stack, uint64_t base) {
  uint64_t b = stack->base;
  while (b > base)
    b = stack->record->frames[b - 1].below;
  return b == base;
}

void pomp_task_end_to(struct pomp_thread *t, uint64_t base) {
  uint64_t when = t->location->last;
  if (is_open(t->stack, base))
    while (t->stack->base > base)
      end_newest(t, when);
}

void pomp_task_end_above(struct pomp_thread *t, uint32_t region, unsigned kinds) {
  struct pomp_frame *frames = t->stack->record->frames;
  uint64_t base = t->stack->base;
  for (uint32_t i = t->stack->record->depth; i-- > 0;) {
    if (pomp_is(&frames[i], region, kinds)) {
      pomp_task_end_to(t, base);
      return;
    }
    if (i + 1 == base)
      base = frames[i].below;
  }
}

/* True if the thread cannot be in the newest task any more.  A cancel directive that takes effect
 * does not return, and no task begins in it.  An untied task may have gone on elsewhere. */
static bool is_lost(struct pomp_thread *t) {
  struct pomp_stack_record *r = t->stack->record;
  struct pomp_frame *task = pomp_base(t->stack);
  if (task->flags & POMP_FRAME_UNTIED && pomp_untied_has_moved(t, task))
    return true;
  return r->frames[r->depth - 1].kind == POMP_FRAME_CANCEL && pomp_is_in_explicit_task(t->stack);
}

void pomp_task_end_all_lost(struct pomp_thread *t) {
  while (t->stack->base && is_lost(t))
    end_newest(t, t->location->last);
}

void pomp_task_end_gone(struct pomp_thread *t) {
  while (pomp_is_in_explicit_task(t->stack) && pomp_untied_is_away(t, pomp_base(t->stack)))
    end_newest(t, t->location->last);
}
