/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "archive_enter.h"

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
  RELEASE_LOCK = 58,
  MPI_WORD = 255
};

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

static bool is_function(const struct frame *f) {
  return f->means == POMP_MEANS_FRAME && f->kind == POMP_FRAME_USER;
}

/* Tools may leave a function while one that it called is open: the innermost one is left first. */
static void put_in_order(Run *run, int64_t plan) {
  struct frame *top = top_of(run);
  if (!top || run->open->depth < 2 || top->region == plan || top[-1].region != plan)
    return;
  if (is_function(top) && is_function(top - 1)) {
    top[-1].region = top->region;
    top->region = plan;
  }
}

static int leave(Run *run, int64_t plan) {
  put_in_order(run, plan);
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
    return pomp_enter(run, first);
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
  case MPI_WORD:
    return say(run, (unsigned)first, path_here(run));
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
