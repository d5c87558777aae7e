/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "open.h"

/* Events of OTF2, as pomp_clang/otf2/layout.py has them. */
enum event {
  ENTER = 12,
  LEAVE = 13,
  OMP_FORK = 24,
  OMP_JOIN = 25,
  OMP_ACQUIRE_LOCK = 26,
  OMP_RELEASE_LOCK = 27,
  THREAD_FORK = 53,
  THREAD_JOIN = 54,
  TEAM_BEGIN = 55,
  ACQUIRE_LOCK = 57,
  RELEASE_LOCK = 58
};

enum { ANY = 0xffff };

static bool is_within(const struct pomp_callpaths *paths, unsigned path, int64_t region) {
  for (; path; path = paths->above[path]) {
    if (paths->region[path] == region)
      return true;
    if (paths->task[path])
      return false;
  }
  return false;
}

/* 0 where they are too many. */
static unsigned below(struct pomp_callpaths *paths, unsigned above, int64_t region, bool task) {
  uint64_t hash = ((uint64_t)region << 17 | (uint64_t)above << 1 | task) * 0x9e3779b97f4a7c15u;
  uint64_t place = (hash >> 32) & (paths->places - 1);
  for (uint32_t path; (path = paths->index[place]); place = (place + 1) & (paths->places - 1))
    if (paths->above[path] == above && paths->region[path] == region && paths->task[path] == task)
      return path;
  if (paths->count >= paths->room)
    return 0;
  unsigned path = (unsigned)++paths->count;
  paths->index[place] = path;
  paths->above[path] = (uint16_t)above;
  paths->region[path] = region;
  paths->task[path] = task;
  paths->recurs[path] = is_within(paths, above, region);
  return path;
}

static unsigned path_here(const Run *run) {
  const struct frame *f = top_of(run);
  return f ? f->path : 0;
}

static unsigned entering(unsigned kind, unsigned how) { return POMP_TRACE_ENTER | kind << 3 | how; }

/* Whether a thread takes up others' tasks there. */
static bool takes_up(const struct frame *f) {
  static const uint16_t phases[] = {
      [POMP_FRAME_BARRIER] = ANY,
      [POMP_FRAME_CREATE] = ANY,
      [POMP_FRAME_WAIT] = ANY,
      [POMP_FRAME_WORK] = 1u << 0 | 1u << POMP_EXIT_BAR_T,
      [POMP_FRAME_PARALLEL] = 1u << POMP_EXIT_BAR_T | 1u << POMP_SHUTDWN_T,
  };
  return f->kind < sizeof phases / sizeof *phases && phases[f->kind] >> f->phase & 1;
}

static int enter_parallel(Run *run, int64_t plan) {
  struct frame *f = top_of(run);
  if (f && f->kind == POMP_FRAME_FORK) {
    unsigned path = below(run->paths, f->path, run->plan_region[plan], false);
    f->path = (uint16_t)path;
    f->kind = POMP_FRAME_PARALLEL;
    f->region = plan;
    run->out_path[f->forked] = f->path;
    if (f->team >= 0)
      run->team_path[f->team] = path;
    return path ? say(run, POMP_TRACE_BEGIN, path) : POMP_UNDERSTAND_PATHS;
  }
  int64_t team = f ? NONE : run->team;
  unsigned path = team >= 0 ? (unsigned)run->team_path[team]
                            : below(run->paths, path_here(run), run->plan_region[plan], false);
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
  unsigned path = below(run->paths, path_of_region(run), run->plan_region[plan], true);
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

/* A barrier or body of the construct around it. */
static bool is_part(const Run *run, unsigned means) {
  const struct frame *f = top_of(run);
  return f && ((f->kind == POMP_FRAME_WORK || f->kind == POMP_FRAME_PARALLEL) ||
               (f->kind == POMP_FRAME_SYNC && means == POMP_MEANS_BLOCK));
}

static int enter_part(Run *run, int64_t plan, unsigned means) {
  struct frame *around = top_of(run);
  int error = 0;
  if (means == POMP_MEANS_BARRIER)
    error = begin_phase(run, around, POMP_EXIT_BAR_T, POMP_TRACE_PHASE);
  else if (around->kind != POMP_FRAME_SYNC)
    error = begin_phase(run, around, POMP_BODY_T, POMP_TRACE_COUNTED);
  else if (!around->holds)
    error = begin_phase(run, around, POMP_BODY_T, POMP_TRACE_PHASE);
  struct frame frame = {.region = plan,
                        .team = NONE,
                        .forked = NONE,
                        .path = around->path,
                        .before = NONE,
                        .means = (uint8_t)means};
  return error || push(run, frame) ? error : POMP_UNDERSTAND_ROOM;
}

static int enter_frame(Run *run, int64_t plan, unsigned means) {
  unsigned kind = means == POMP_MEANS_RELEASE ? 0 : run->plan_kind[plan];
  unsigned path = below(run->paths, path_here(run), run->plan_region[plan], false);
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

static int enter(Run *run, int64_t plan) {
  if (plan < 0 || (uint64_t)plan >= run->plans)
    return POMP_UNDERSTAND_UNKNOWN;
  unsigned means = run->plan_means[plan];
  if (means == POMP_MEANS_PARALLEL)
    return enter_parallel(run, plan);
  if (means == POMP_MEANS_TASK)
    return enter_task(run, plan);
  if ((means == POMP_MEANS_BARRIER || means == POMP_MEANS_BLOCK) && is_part(run, means))
    return enter_part(run, plan, means);
  return enter_frame(run, plan, means);
}

/* A lock that is held already may be got again. */
static int hold(Run *run, uint64_t event, unsigned path) {
  int64_t lock = run->first[event], *held = &run->held[run->second[event]];
  unsigned op = ++*held > 1 ? POMP_TRACE_HOLDS_MORE : POMP_TRACE_HOLDS;
  return say_value(run, op, path, lock > 0 ? lock : 0, run->now);
}

static int leave_part(Run *run) {
  struct frame *around = top_of(run);
  if (!around)
    return POMP_UNDERSTAND_UNKNOWN;
  if (around->kind != POMP_FRAME_SYNC)
    return begin_phase(run, around, 0, POMP_TRACE_PHASE);
  return around->holds ? 0 : begin_phase(run, around, POMP_EXIT_T, POMP_TRACE_PHASE);
}

static int leave_construct(Run *run, const struct frame *f) {
  int error =
      f->means == POMP_MEANS_PARALLEL && f->team >= 0 ? say(run, POMP_TRACE_DEPARTS, f->path) : 0;
  return error ? error : say(run, POMP_TRACE_LEAVE, f->path);
}

static int leave(Run *run, int64_t plan) {
  struct frame *top = top_of(run);
  if (!top || top->region != plan)
    return POMP_UNDERSTAND_UNKNOWN;
  if (top->means == POMP_MEANS_PARALLEL && top->forked >= 0) {
    top->region = FORKED;
    return begin_phase(run, top, POMP_SHUTDWN_T, POMP_TRACE_PHASE);
  }
  struct pomp_open *open = run->open;
  struct frame f = *top;
  uint64_t locks = open->locks;
  int error = 0;
  open->depth--;
  open->locks = f.got;
  if (f.means == POMP_MEANS_RELEASE)
    error = locks > f.got ? say(run, POMP_TRACE_RELEASED, f.path) : 0;
  else
    error = f.kind ? leave_construct(run, &f) : leave_part(run);
  for (uint64_t i = f.got; !error && f.means == POMP_MEANS_LOCK && i < locks; i++)
    error = hold(run, (uint64_t)open->got[i], f.path);
  if (error || f.before < 0)
    return error;
  struct frame *beneath = construct_from(run, top_of(run));
  return beneath ? begin_phase(run, beneath, (unsigned)f.before, POMP_TRACE_PHASE)
                 : POMP_UNDERSTAND_UNKNOWN;
}

static int fork_team(Run *run) {
  struct frame frame = {.region = FORKED,
                        .team = NONE,
                        .forked = (int64_t)run->out.count,
                        .path = (uint16_t)path_here(run),
                        .before = NONE,
                        .means = POMP_MEANS_PARALLEL,
                        .kind = POMP_FRAME_FORK};
  return push(run, frame) ? say(run, entering(POMP_FRAME_FORK, 0), 0) : POMP_UNDERSTAND_ROOM;
}

/* A master's is right behind its fork. */
static int begin_team(Run *run, int64_t team) {
  struct frame *f = top_of(run);
  run->team = team;
  if (team < 0 || !f || f->kind != POMP_FRAME_FORK || f->forked != (int64_t)run->out.count - 1)
    return POMP_UNDERSTAND_FINE;
  f->team = team;
  return tell(run, (uint64_t)f->forked, team + 1);
}

static int join_team(Run *run) {
  const struct frame *top = top_of(run);
  if (!top || top->forked < 0)
    return POMP_UNDERSTAND_UNKNOWN;
  struct frame f = *top;
  run->open->depth--;
  run->open->locks = f.got;
  int error = say(run, POMP_TRACE_LEAVE, f.kind == POMP_FRAME_PARALLEL ? f.path : 0);
  if (error || f.team < 0)
    return error;
  return say_value(run, POMP_TRACE_JOINED, 0, f.team + 1, run->now);
}

static int acquire(Run *run, uint64_t event) {
  struct frame *f = top_of(run);
  if (f && f->kind && f->means == POMP_MEANS_LOCK)
    return keep_lock(run->open, event) ? 0 : POMP_UNDERSTAND_ROOM;
  if (!f || f->kind != POMP_FRAME_SYNC)
    return hold(run, event, 0);
  f->holds = true;
  return begin_phase(run, f, POMP_BODY_T, POMP_TRACE_PHASE);
}

static int release(Run *run, uint64_t event) {
  struct frame *f = top_of(run);
  int64_t lock = run->first[event] > 0 ? run->first[event] : 0;
  int64_t *held = &run->held[run->second[event]];
  *held -= *held > 0;
  if (f && f->means == POMP_MEANS_RELEASE)
    return keep_lock(run->open, event)
               ? say_value(run, POMP_TRACE_RELEASES, f->path, lock, f->since)
               : POMP_UNDERSTAND_ROOM;
  if (f && f->kind == POMP_FRAME_SYNC && f->holds)
    return begin_phase(run, f, POMP_EXIT_T, POMP_TRACE_PHASE);
  return say_value(run, POMP_TRACE_RELEASES, 0, lock, run->now);
}

static int understand(Run *run, uint64_t event) {
  int64_t first = run->first[event], time = run->time[event];
  unsigned type = run->type[event];
  int64_t now = run->now;
  run->now = time > now ? time : now;
  switch ((enum event)type) {
  case ENTER:
    return enter(run, first);
  case LEAVE:
    return leave(run, first);
  case OMP_FORK:
  case THREAD_FORK:
    return fork_team(run);
  case OMP_JOIN:
  case THREAD_JOIN:
    return join_team(run);
  case TEAM_BEGIN:
    return begin_team(run, first);
  case OMP_ACQUIRE_LOCK:
  case ACQUIRE_LOCK:
    return acquire(run, event);
  case OMP_RELEASE_LOCK:
  case RELEASE_LOCK:
    return release(run, event);
  }
  run->now = now;
  return POMP_UNDERSTAND_FINE;
}

/* A member begins its region when the master has: it has its call path. */
static bool has_to_wait(const Run *run) {
  int64_t plan = run->first[run->at];
  return run->type[run->at] == ENTER && plan >= 0 && (uint64_t)plan < run->plans &&
         run->plan_means[plan] == POMP_MEANS_PARALLEL && !run->open->depth && run->team >= 0 &&
         !run->team_path[run->team];
}

int pomp_understand(struct pomp_understanding *run, uint64_t until) {
  if (!run->open && !(run->open = calloc(1, sizeof *run->open)))
    return POMP_UNDERSTAND_ROOM;
  for (; run->at < until && !has_to_wait(run); run->at++) {
    int error = understand(run, run->at);
    if (error)
      return error;
  }
  return POMP_UNDERSTAND_FINE;
}

void pomp_understood(struct pomp_understanding *run) {
  if (run->open) {
    free(run->open->frames);
    free(run->open->got);
  }
  free(run->open);
  run->open = NULL;
}
