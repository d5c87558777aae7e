/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tasks/close.h"

#include "tasks/team.h"
#include "tasks/untied.h"

static void close_task(struct pomp_thread *t, struct pomp_frame *f, uint64_t now) {
  if (f->flags & POMP_FRAME_UNTIED)
    pomp_untied_leaves(t, f);
  pomp_suspend_closing_task(t, f, now);
}

void pomp_close_special(struct pomp_thread *t, struct pomp_frame *f, uint64_t now) {
  if (f->phase)
    pomp_book(t, f, f->phase, pomp_elapsed(f->since, now));
  if (f->kind != POMP_FRAME_FORK && f->kind != POMP_FRAME_CREATE)
    pomp_book(t, f, POMP_EXEC_T, pomp_elapsed(f->start, now));
  if (f->kind == POMP_FRAME_USER && !pomp_user_ends(f))
    pomp_book(t, f, POMP_INNER_T, pomp_elapsed(f->start, now));
  if (f->flags & POMP_FRAME_MASTER)
    pomp_team_give_back(t, (struct pomp_team *)(uintptr_t)f->team);
  else if (f->kind == POMP_FRAME_TASK)
    close_task(t, f, now);
  else if (f->flags & POMP_FRAME_AWAY)
    pomp_suspend_closing(t, f);
}

void pomp_close_top(struct pomp_thread *t, uint64_t now) {
  struct pomp_stack_record *r = t->stack->record;
  pomp_close(t, &r->frames[r->depth - 1], now);
}

void pomp_close_above(struct pomp_thread *t, struct pomp_frame *frame, uint64_t now) {
  struct pomp_stack_record *r = t->stack->record;
  while (&r->frames[r->depth - 1] > frame)
    pomp_close_top(t, now);
}

void pomp_close_all(struct pomp_thread *t, uint64_t now) {
  t->skipped = 0;
  pomp_stack_overflow_ends(t, t->stack->overflow);
  while (t->stack->record->depth)
    pomp_close_top(t, now);
}
