/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "archive_enter.h"

#include "callpaths.h"

enum { ANY = 0xffff };

/* True if a thread takes up other tasks there. */
static bool takes_up(const struct frame *f) {
  static const uint16_t phases[] = {
      [POMP_FRAME_BARRIER] = ANY,
      [POMP_FRAME_CREATE] = ANY,
      [POMP_FRAME_WAIT] = ANY,
      [POMP_FRAME_WORK] = 1u << 0 | 1u << POMP_EXIT_BAR_T,
      [POMP_FRAME_PARALLEL] =
          1u << POMP_EXIT_BAR_T | 1u << POMP_SHUTDWN_T | 1u << POMP_CREATE_T | 1u << POMP_ENTER_T,
  };
  return f->kind < sizeof phases / sizeof *phases && phases[f->kind] >> f->phase & 1;
}

static int enter_parallel(Run *run, int64_t plan) {
  struct frame *f = top_of(run);
  if (f && f->kind == POMP_FRAME_FORK) {
    unsigned path = pomp_path_below(run->paths, f->path, run->plan_region[plan], false);
    f->path = (uint16_t)path;
    f->kind = POMP_FRAME_PARALLEL;
    f->region = plan;
    run->out_path[f->forked] = f->path;
    if (f->team >= 0)
      run->team_path[f->team] = path;
    return path ? say(run, POMP_TRACE_BEGIN, path) : POMP_UNDERSTAND_PATHS;
  }
  int64_t team = f ? NONE : run->team;
  unsigned path = team >= 0
                      ? (unsigned)run->team_path[team]
                      : pomp_path_below(run->paths, path_here(run), run->plan_region[plan], false);
  if (team < 0 && !path)
    return POMP_UNDERSTAND_PATHS;
  int error = 0;
  if (team >= 0) {
    int64_t fork = run->team_fork[team];
    uint64_t since = run->now > fork ? (uint64_t)run->now - (uint64_t)fork : 0;
    error = tell(run, run->out.count, team + 1);
    error = error ? error : tell(run, run->out.count, (int64_t)since);
  }
  error = error ? error : say(run, entering(POMP_FRAME_PARALLEL, 0), path);
  struct frame frame = {.region = plan,
                        .team = team,
                        .forked = NONE,
                        .path = (uint16_t)path,
                        .before = NONE,
                        .means = POMP_MEANS_PARALLEL,
                        .kind = POMP_FRAME_PARALLEL};
  return error || push(run, frame) ? error : POMP_UNDERSTAND_ROOM;
}

static bool is_in_task(const Run *run) {
  const struct frame *frames = run->open->frames;
  for (uint64_t i = run->open->depth; i; i--)
    if (frames[i - 1].kind == POMP_FRAME_TASK || frames[i - 1].kind == POMP_FRAME_PARALLEL ||
        frames[i - 1].kind == POMP_FRAME_FORK)
      return frames[i - 1].kind == POMP_FRAME_TASK;
  return false;
}

static unsigned path_of_region(const Run *run) {
  const struct frame *frames = run->open->frames;
  for (uint64_t i = run->open->depth; i; i--)
    if (frames[i - 1].kind == POMP_FRAME_PARALLEL)
      return frames[i - 1].path;
  return 0;
}

static int enter_task(Run *run, int64_t plan) {
  struct frame *beneath = construct_from(run, top_of(run));
  unsigned how = is_in_task(run) ? POMP_TRACE_SPECIAL : 0;
  int before = NONE, error = 0;
  if (beneath && takes_up(beneath)) {
    before = beneath->phase;
    how |= POMP_TRACE_SWITCHES;
    error = begin_phase(run, beneath, beneath->kind == POMP_FRAME_CREATE ? 0 : POMP_TASK_T,
                        POMP_TRACE_PHASE);
  }
  unsigned path = pomp_path_below(run->paths, path_of_region(run), run->plan_region[plan], true);
  if (!path)
    return POMP_UNDERSTAND_PATHS;
  error = error ? error : say(run, entering(POMP_FRAME_TASK, how), path);
  struct frame frame = {.region = plan,
                        .team = NONE,
                        .forked = NONE,
                        .path = (uint16_t)path,
                        .before = (int8_t)before,
                        .means = POMP_MEANS_TASK,
                        .kind = POMP_FRAME_TASK};
  return error || push(run, frame) ? error : POMP_UNDERSTAND_ROOM;
}

/* The phase of the construct around it that something means there. */
static const struct part {
  uint8_t means, kind, phase;
} parts[] = {
    {POMP_MEANS_BARRIER, POMP_FRAME_WORK, POMP_EXIT_BAR_T},
    {POMP_MEANS_BARRIER, POMP_FRAME_PARALLEL, POMP_EXIT_BAR_T},
    {POMP_MEANS_BLOCK, POMP_FRAME_WORK, POMP_BODY_T},
    {POMP_MEANS_BLOCK, POMP_FRAME_PARALLEL, POMP_BODY_T},
    {POMP_MEANS_BLOCK, POMP_FRAME_SYNC, POMP_BODY_T},
    {POMP_MEANS_MAKING, POMP_FRAME_WAIT, POMP_CREATE_T},
    {POMP_MEANS_MAKING, POMP_FRAME_PARALLEL, POMP_CREATE_T},
    {POMP_MEANS_WAIT, POMP_FRAME_WAIT, POMP_EXIT_BAR_T},
    {POMP_MEANS_WAIT, POMP_FRAME_PARALLEL, POMP_ENTER_T},
};

static const struct part *part_of(const Run *run, unsigned means) {
  const struct frame *f = top_of(run);
  for (size_t i = 0; f && means != POMP_MEANS_FRAME && i < sizeof parts / sizeof *parts; i++)
    if (parts[i].means == means && parts[i].kind == f->kind)
      return &parts[i];
  return NULL;
}

static int enter_part(Run *run, int64_t plan, const struct part *part) {
  struct frame *around = top_of(run);
  bool is_counted = part->means == POMP_MEANS_BLOCK && around->kind != POMP_FRAME_SYNC;
  int error = 0;
  if (!around->holds)
    error =
        begin_phase(run, around, part->phase, is_counted ? POMP_TRACE_COUNTED : POMP_TRACE_PHASE);
  struct frame frame = {.region = plan,
                        .team = NONE,
                        .forked = NONE,
                        .path = around->path,
                        .before = NONE,
                        .means = part->means};
  return error || push(run, frame) ? error : POMP_UNDERSTAND_ROOM;
}

static int enter_frame(Run *run, int64_t plan, unsigned means) {
  unsigned kind = means == POMP_MEANS_RELEASE ? 0 : run->plan_kind[plan];
  unsigned path = pomp_path_below(run->paths, path_here(run), run->plan_region[plan], false);
  if (!path)
    return POMP_UNDERSTAND_PATHS;
  struct frame frame = {.region = plan,
                        .team = NONE,
                        .forked = NONE,
                        .since = run->now,
                        .path = (uint16_t)path,
                        .before = NONE,
                        .means = (uint8_t)means,
                        .kind = (uint8_t)kind};
  if (kind == POMP_FRAME_SYNC)
    frame.phase = POMP_ENTER_T;
  else if (kind == POMP_FRAME_CREATE)
    frame.phase = POMP_CREATE_T;
  int error = 0;
  if (means != POMP_MEANS_RELEASE) {
    bool inner = kind == POMP_FRAME_USER && run->paths->recurs[path];
    unsigned how = run->plan_how[plan] | (inner ? (unsigned)POMP_TRACE_SPECIAL : 0u);
    error = say(run, entering(kind, how), path);
  }
  return error || push(run, frame) ? error : POMP_UNDERSTAND_ROOM;
}

int pomp_enter(Run *run, int64_t plan) {
  if (plan < 0 || (uint64_t)plan >= run->plans)
    return POMP_UNDERSTAND_UNKNOWN;
  unsigned means = run->plan_means[plan];
  if (means == POMP_MEANS_PARALLEL)
    return enter_parallel(run, plan);
  if (means == POMP_MEANS_TASK)
    return enter_task(run, plan);
  const struct part *part = part_of(run, means);
  return part ? enter_part(run, plan, part) : enter_frame(run, plan, means);
}
