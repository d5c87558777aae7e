/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "task_schedule.h"

#include <stdbool.h>
#include <stdlib.h>

enum { NONE = -1 };

/* A task while it is scheduled: `below` is the task that its thread goes on with afterwards, `left`
 * counts its tasks that are not done.  Ready tasks of a thread have neighbors; those that wait for
 * the same task are linked by `next`. */
struct scheduled {
  int64_t at; /* the next step */
  int32_t below;
  int32_t left;
  int32_t before, next;
  int32_t needs;             /* the task that has to be done before it begins */
  int32_t held, last_held;   /* tasks that wait for this one */
  bool is_creating, is_done; /* the creation's price is paid */
};

/* A thread of the team: its newest open task, the tasks that it created and that are ready, and its
 * neighbors among the idle threads. */
struct member {
  int32_t open;
  int32_t oldest, newest;
  int32_t ready;
  int32_t idle_before, idle_next;
  bool is_idle;
  double idle_since;
};

struct turn {
  double time;
  int32_t thread;
};

struct schedule {
  const struct pomp_scheduling *run;
  struct scheduled *tasks;
  struct member *team;
  struct turn *turns; /* a heap */
  int32_t threads, waiting;
  int32_t first_idle, last_idle;
};

static bool is_before(struct turn one, struct turn other) {
  return one.time != other.time ? one.time < other.time : one.thread < other.thread;
}

static void sink(struct turn *turns, int32_t count, struct turn sinking) {
  int32_t place = 0;
  for (int32_t below; (below = 2 * place + 1) < count; place = below) {
    if (below + 1 < count && is_before(turns[below + 1], turns[below]))
      below++;
    if (!is_before(turns[below], sinking))
      break;
    turns[place] = turns[below];
  }
  turns[place] = sinking;
}

static void push(struct schedule *s, struct turn rising) {
  int32_t place = s->waiting++;
  for (int32_t above; place > 0 && is_before(rising, s->turns[above = (place - 1) / 2]);
       place = above)
    s->turns[place] = s->turns[above];
  s->turns[place] = rising;
}

static struct turn pop(struct schedule *s) {
  struct turn least = s->turns[0];
  s->waiting--;
  if (s->waiting > 0)
    sink(s->turns, s->waiting, s->turns[s->waiting]);
  return least;
}

static void rest(struct schedule *s, int32_t thread, double now) {
  struct member *m = &s->team[thread];
  m->is_idle = true;
  m->idle_since = now;
  m->idle_before = s->last_idle;
  m->idle_next = NONE;
  if (s->last_idle == NONE)
    s->first_idle = thread;
  else
    s->team[s->last_idle].idle_next = thread;
  s->last_idle = thread;
}

static void wake(struct schedule *s, int32_t thread, double now) {
  struct member *m = &s->team[thread];
  m->is_idle = false;
  if (m->idle_before == NONE)
    s->first_idle = m->idle_next;
  else
    s->team[m->idle_before].idle_next = m->idle_next;
  if (m->idle_next == NONE)
    s->last_idle = m->idle_before;
  else
    s->team[m->idle_next].idle_before = m->idle_before;
  push(s, (struct turn){now > m->idle_since ? now : m->idle_since, thread});
}

static void offer(struct schedule *s, int32_t task, int32_t thread, double now) {
  struct member *m = &s->team[thread];
  s->tasks[task].before = m->newest;
  s->tasks[task].next = NONE;
  if (m->newest == NONE)
    m->oldest = task;
  else
    s->tasks[m->newest].next = task;
  m->newest = task;
  m->ready++;
  if (s->first_idle != NONE)
    wake(s, s->first_idle, now);
}

static int32_t take_newest(struct schedule *s, struct member *m) {
  int32_t task = m->newest;
  m->newest = s->tasks[task].before;
  if (m->newest == NONE)
    m->oldest = NONE;
  m->ready--;
  return task;
}

static int32_t take_oldest(struct schedule *s, struct member *m) {
  int32_t task = m->oldest;
  if (--m->ready == 0)
    m->oldest = m->newest = NONE;
  else {
    m->oldest = s->tasks[task].next;
    s->tasks[m->oldest].before = NONE;
  }
  return task;
}

/* The thread's newest task, else the oldest one of the thread with most. */
static int32_t ready_task(struct schedule *s, int32_t thread) {
  if (s->team[thread].ready)
    return take_newest(s, &s->team[thread]);
  struct member *most = &s->team[0];
  for (int32_t other = 1; other < s->threads; other++)
    if (s->team[other].ready > most->ready)
      most = &s->team[other];
  return most->ready ? take_oldest(s, most) : NONE;
}

/* Begins a task; false if there is none, and the thread is idle. */
static bool take(struct schedule *s, int32_t thread, double *now) {
  int32_t task = ready_task(s, thread);
  if (task == NONE) {
    rest(s, thread, *now);
    return false;
  }
  s->tasks[task].below = s->team[thread].open;
  s->team[thread].open = task;
  *now += s->run->dispatch;
  return true;
}

static void create(struct schedule *s, int32_t task, int32_t child, int32_t thread, double now) {
  s->tasks[task].left++;
  int32_t needs = s->tasks[child].needs;
  if (needs == NONE || s->tasks[needs].is_done) {
    offer(s, child, thread, now);
    return;
  }
  struct scheduled *needed = &s->tasks[needs];
  s->tasks[child].next = NONE;
  if (needed->held == NONE)
    needed->held = child;
  else
    s->tasks[needed->last_held].next = child;
  needed->last_held = child;
}

static void end(struct schedule *s, int32_t task, double now) {
  int32_t thread = s->run->thread[task], parent = s->run->parent[task];
  s->tasks[task].is_done = true;
  for (int32_t held = s->tasks[task].held, next; held != NONE; held = next) {
    next = s->tasks[held].next;
    offer(s, held, thread < s->threads ? thread : 0, now);
  }
  if (parent < 0 || --s->tasks[parent].left > 0)
    return;
  for (int32_t idle = s->first_idle, next; idle != NONE; idle = next) {
    next = s->team[idle].idle_next;
    if (s->team[idle].open == parent)
      wake(s, idle, now);
  }
}

static bool is_left_out(const struct pomp_scheduling *run, int64_t step) {
  return run->kind[step] == POMP_STEP_WAIT && run->dropped[(int64_t)run->value[step]];
}

/* Executes the next step of a thread; false if it is idle. */
static bool go_on(struct schedule *s, int32_t thread, double *now) {
  const struct pomp_scheduling *run = s->run;
  int32_t open = s->team[thread].open;
  if (open == NONE)
    return take(s, thread, now);
  struct scheduled *task = &s->tasks[open];
  int64_t behind = run->first[open + 1];
  while (task->at < behind && is_left_out(run, task->at))
    task->at++;
  if (task->at == behind) {
    s->team[thread].open = task->below;
    end(s, open, *now);
    return true;
  }
  uint8_t kind = run->kind[task->at];
  double value = run->value[task->at];
  if (kind == POMP_STEP_WAIT && task->left)
    return take(s, thread, now);
  if (kind == POMP_STEP_WORK)
    *now += value;
  else if (kind == POMP_STEP_CREATE && run->inclusive[(int32_t)value] < run->cutoff)
    *now += run->inclusive[(int32_t)value];
  else if (kind == POMP_STEP_CREATE && !task->is_creating) {
    task->is_creating = true;
    *now += run->creation[(int32_t)value];
    return true;
  } else if (kind == POMP_STEP_CREATE) {
    task->is_creating = false;
    create(s, open, (int32_t)value, thread, *now);
  }
  task->at++;
  return true;
}

/* The moment of the last step; the earliest thread always goes on. */
static double last_of(struct schedule *s) {
  double last = 0;
  while (s->waiting > 0) {
    struct turn turn = pop(s);
    double now = turn.time;
    while (last = now > last ? now : last, go_on(s, turn.thread, &now)) {
      struct turn after = {now, turn.thread};
      if (s->waiting > 0 && is_before(s->turns[0], after)) {
        turn = s->turns[0];
        sink(s->turns, s->waiting, after);
        now = turn.time;
      }
    }
  }
  return last;
}

static double took(struct schedule *s, uint64_t phase) {
  const int32_t *roots = s->run->roots + s->run->first_root[phase];
  s->threads = (int32_t)(s->run->first_root[phase + 1] - s->run->first_root[phase]);
  s->waiting = 0;
  s->first_idle = s->last_idle = NONE;
  for (int32_t thread = 0; thread < s->threads; thread++) {
    s->team[thread] = (struct member){.open = roots[thread], .oldest = NONE, .newest = NONE};
    s->turns[s->waiting++] = (struct turn){0, thread};
  }
  return last_of(s);
}

/* A task needs the one at the same place among those before the wait that is left out. */
static void link_rounds(const struct schedule *s, int32_t task, int32_t *children) {
  const struct pomp_scheduling *run = s->run;
  int64_t before = 0, round = 0, count = 0;
  for (int64_t step = run->first[task]; step < run->first[task + 1]; step++) {
    if (is_left_out(run, step)) {
      before = round;
      round = count;
    }
    if (run->kind[step] != POMP_STEP_CREATE)
      continue;
    int32_t child = (int32_t)run->value[step];
    if (run->inclusive[child] < run->cutoff)
      continue;
    int64_t same_place = before + count - round;
    if (same_place < round)
      s->tasks[child].needs = children[same_place];
    children[count++] = child;
  }
}

static void prepare(const struct schedule *s, int32_t *children) {
  const struct pomp_scheduling *run = s->run;
  for (uint64_t task = 0; task < run->tasks; task++)
    s->tasks[task] =
        (struct scheduled){.at = run->first[task], .below = NONE, .needs = NONE, .held = NONE};
  for (uint64_t task = 0; task < run->tasks && run->in_rounds; task++)
    link_rounds(s, (int32_t)task, children);
}

int pomp_schedule_tasks(const struct pomp_scheduling *run) {
  int64_t threads = 0;
  for (uint64_t phase = 0; phase < run->phases; phase++)
    if (run->first_root[phase + 1] - run->first_root[phase] > threads)
      threads = run->first_root[phase + 1] - run->first_root[phase];
  struct schedule s = {.run = run};
  s.tasks = malloc((run->tasks + 1) * sizeof *s.tasks);
  s.team = malloc(((uint64_t)threads + 1) * sizeof *s.team);
  s.turns = malloc(((uint64_t)threads + 1) * sizeof *s.turns);
  int32_t *children = malloc((run->tasks + 1) * sizeof *children);
  bool is_ready = s.tasks && s.team && s.turns && children;
  if (is_ready) {
    prepare(&s, children);
    for (uint64_t phase = 0; phase < run->phases; phase++)
      run->took[phase] = took(&s, phase);
  }
  free(s.tasks);
  free(s.team);
  free(s.turns);
  free(children);
  return is_ready ? POMP_REPLAY_FINE : POMP_REPLAY_ROOM;
}
