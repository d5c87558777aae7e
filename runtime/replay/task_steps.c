/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "task_steps.h"

#include "trace/trace_format.h"

#include <stdbool.h>
#include <stdlib.h>

/* A task that is open, or a task group, which stands for its task. */
struct open {
  int64_t end;
  double busy_end;
  int32_t task;
  int32_t group; /* its call path, -1 for a task */
};

struct walk {
  struct pomp_following *run;
  struct open *stack;
  uint64_t depth;
  double last; /* ticks up to which work is booked */
  bool is_full;
};

static void step(struct walk *w, int32_t task, enum pomp_step kind, double value) {
  struct pomp_following *run = w->run;
  uint64_t row = run->steps.count;
  if (row >= run->steps.room) {
    w->is_full = true;
    return;
  }
  run->steps.count = row + 1;
  run->step_task[row] = task;
  run->step_kind[row] = (uint8_t)kind;
  run->step_value[row] = value;
}

static void work(struct walk *w, int32_t task, double until) {
  if (until - w->last > 0)
    step(w, task, POMP_STEP_WORK, until - w->last);
}

static int32_t new_task(struct walk *w, int32_t path, int64_t begin) {
  struct pomp_following *run = w->run;
  uint64_t row = run->tasks.count;
  if (row >= run->tasks.room) {
    w->is_full = true;
    return 0;
  }
  run->tasks.count = row + 1;
  run->task_path[row] = path;
  run->task_begin[row] = begin;
  return (int32_t)row;
}

/* Ends what ended before a moment. */
static void close(struct walk *w, int64_t moment) {
  while (w->depth > 1 && w->stack[w->depth - 1].end <= moment) {
    const struct open *ended = &w->stack[--w->depth];
    work(w, ended->task, ended->busy_end);
    if (ended->group >= 0)
      step(w, ended->task, POMP_STEP_WAIT, ended->group);
    w->last = ended->busy_end;
  }
}

static void push(struct walk *w, uint64_t visit, int32_t task, int32_t group) {
  const struct pomp_following *run = w->run;
  w->stack[w->depth++] = (struct open){run->end[visit], run->busy_end[visit], task, group};
}

static void create(struct walk *w, uint64_t visit, int32_t task) {
  struct pomp_following *run = w->run;
  uint64_t row = run->created.count;
  if (row >= run->created.room) {
    w->is_full = true;
    return;
  }
  run->created.count = row + 1;
  run->created_begin[row] = run->begin[visit];
  run->created_step[row] = (int64_t)run->steps.count;
  run->created_price[row] = (double)(run->end[visit] - run->begin[visit]);
  step(w, task, POMP_STEP_CREATE, run->path[visit]);
}

static void visit_task(struct walk *w, uint64_t visit) {
  const struct pomp_following *run = w->run;
  int32_t task = w->stack[w->depth - 1].task, path = run->path[visit];
  work(w, task, run->busy_begin[visit]);
  w->last = run->busy_begin[visit];
  if (run->kind[visit] == POMP_FRAME_TASK)
    push(w, visit, new_task(w, path, run->begin[visit]), -1);
  else if (run->kind[visit] == POMP_FRAME_CREATE) {
    create(w, visit, task);
    w->last = run->busy_end[visit];
  } else if (run->is_group[path])
    push(w, visit, task, path);
  else
    step(w, task, POMP_STEP_WAIT, path);
}

/* Follows the location through a phase, from a visit on; returns the first visit behind it. */
static uint64_t follow(struct walk *w, uint64_t phase, uint64_t visit) {
  const struct pomp_following *run = w->run;
  int64_t since = run->since[phase], until = run->until[phase];
  double busy_until = run->busy_until[phase];
  int32_t root = new_task(w, -1, since);
  w->last = run->busy_since[phase];
  w->stack[0] = (struct open){until, busy_until, root, -1};
  w->depth = 1;
  for (; visit < run->visits && run->begin[visit] < until; visit++)
    if (run->begin[visit] >= since) {
      close(w, run->begin[visit]);
      visit_task(w, visit);
    }
  close(w, until - 1);
  while (w->depth > 0) {
    work(w, w->stack[--w->depth].task, busy_until);
    w->last = busy_until;
  }
  return visit;
}

int pomp_follow_tasks(struct pomp_following *run) {
  struct walk w = {.run = run, .stack = malloc((run->visits + 1) * sizeof *w.stack)};
  uint64_t visit = 0;
  w.is_full = !w.stack;
  for (uint64_t phase = 0; phase < run->phases && !w.is_full; phase++)
    visit = follow(&w, phase, visit);
  free(w.stack);
  return w.is_full ? POMP_REPLAY_ROOM : POMP_REPLAY_FINE;
}
