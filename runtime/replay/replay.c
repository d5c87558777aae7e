/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "frames.h"
#include "fresh.h"

#include <string.h>

unsigned pomp_replay_count(uint64_t events, const uint8_t *op, const uint16_t *path,
                           uint64_t *counts) {
  unsigned largest = 0;
  memset(counts, 0, 256 * sizeof *counts);
  for (uint64_t i = 0; i < events; i++) {
    counts[op[i]]++;
    largest = path[i] > largest ? path[i] : largest;
  }
  return largest;
}

void pomp_replay_sizes(uint64_t sizes[3]) {
  sizes[0] = sizeof(struct pomp_decoding);
  sizes[1] = sizeof(struct pomp_replaying);
  sizes[2] = POMP_SUMS;
}

/* The fork's frame becomes the region's. */
static bool begin_region(struct machine *m, unsigned path, int64_t time) {
  struct frame *f = top_of(m);
  sums_of(m, path)[POMP_EXEC_C]++;
  sums_of(m, path)[POMP_STARTUP_T] += elapsed(f->begin, time);
  f->kind = POMP_FRAME_PARALLEL;
  f->region = (uint32_t)m->depth;
  return change_phase(m, POMP_BODY_T, path, time, false);
}

/* The routine that got a lock has returned with it. */
static bool hold(struct machine *m, unsigned op, unsigned path, int64_t time, int64_t lock) {
  struct pomp_replaying *run = m->run;
  struct pomp_lock *held = pomp_locks_find(&m->held, lock);
  uint64_t row = run->locks.count;
  if (!held || row >= run->locks.room)
    return false;
  if (op == POMP_TRACE_HOLDS)
    for (; held->newest >= 0; held->newest = m->held.before[held->newest])
      run->lock_released[held->newest] = -1;
  m->held.before[row] = held->newest;
  held->newest = (int32_t)row;
  int32_t visit = path ? m->closed : -1;
  if (visit >= 0 && (m->closed_path != path || m->closed_end != time))
    visit = -1;
  run->locks.count++;
  run->lock_path[row] = (uint16_t)path;
  run->lock_lock[row] = lock;
  run->lock_asked[row] = visit < 0 ? time : m->closed_begin;
  run->lock_got[row] = time;
  run->lock_released[row] = run->end;
  run->lock_visit[row] = lasting(m, visit);
  return true;
}

static void give_up(struct machine *m, struct pomp_lock *held, int64_t time) {
  struct pomp_replaying *run = m->run;
  int32_t row = held->newest;
  uint64_t took = elapsed(run->lock_got[row], time);
  uint64_t *sums = sums_of(m, run->lock_path[row]);
  sums[POMP_BODY_T] += took;
  sums[POMP_EXEC_T] += took;
  run->lock_released[row] = time;
  held->newest = m->held.before[row];
}

static bool release(struct machine *m, int64_t time, int64_t lock) {
  struct pomp_lock *held = pomp_locks_find(&m->held, lock);
  if (held && held->newest >= 0)
    give_up(m, held, time);
  return held;
}

static void release_all(struct machine *m, int64_t time) {
  for (uint32_t i = 0; i < m->held.count; i++)
    while (m->held.entries[i].newest >= 0)
      give_up(m, &m->held.entries[i], time);
  pomp_locks_clear(&m->held);
}

/* A call that releases is back before the thread makes another. */
static void return_from_release(struct machine *m, unsigned path, int64_t time) {
  uint64_t *sums = sums_of(m, path);
  sums[POMP_EXIT_T] += elapsed(m->released, time);
  sums[POMP_EXEC_T] += elapsed(m->released, time);
}

static bool depart(struct machine *m, int64_t time) {
  struct pomp_replaying *run = m->run;
  const struct frame *f = top_of(m);
  uint64_t row = run->departures.count;
  if (row >= run->departures.room)
    return false;
  m->left = (int64_t)row;
  run->departures.count++;
  run->departure_visit[row] = f->visit;
  run->departure_team[row] = f->team;
  run->departure_since[row] = time;
  run->departure_waits[row] = run->departure_ends[row] = run->departure_tasks[row] = 0;
  return true;
}

/* The first time after a departure. */
static void tell_departure(const struct machine *m, int64_t *column, int64_t time) {
  if (m->left >= 0 && !column[m->left])
    column[m->left] = time;
}

static bool tell(struct pomp_rows *rows, int64_t *teams, int64_t *times, int64_t team,
                 int64_t time) {
  if (rows->count >= rows->room)
    return false;
  teams[rows->count] = team;
  times[rows->count++] = time;
  return true;
}

/* The highest byte of an integer, the lowest of a double may be in a second value. */
static int64_t value_of(unsigned type, const int64_t *values, uint64_t count) {
  uint64_t first = (uint64_t)values[0], second = count > 1 ? (uint64_t)values[1] & 0xff : 0;
  if (type == POMP_TRACE_REAL)
    return (int64_t)(first << 8 | second);
  if (count == 1 && type == POMP_TRACE_SIGNED && first >> 55 & 1)
    second = 0xff;
  return (int64_t)(first | second << 56);
}

static bool take_value(struct machine *m, unsigned type, unsigned path, int64_t time,
                       const int64_t *values, uint64_t count) {
  struct pomp_replaying *run = m->run;
  uint64_t row = run->values.count;
  if (!count || row >= run->values.room)
    return !count;
  run->values.count++;
  run->value_path[row] = (uint16_t)path;
  run->value_time[row] = time;
  run->value_visit[row] = lasting(m, top_of(m)->visit);
  run->value_type[row] = (uint8_t)type;
  run->value_value[row] = value_of(type, values, count);
  return true;
}

/* What is of no frame, or seldom. */
static bool run_other(struct machine *m, unsigned op, unsigned path, int64_t time, int64_t value) {
  struct pomp_replaying *run = m->run;
  switch (op) {
  case POMP_TRACE_COUNT_BODY:
    sums_of(m, path)[POMP_BODY_C]++;
    return true;
  case POMP_TRACE_VISITS:
    sums_of(m, path)[POMP_EXEC_C]++;
    return true;
  case POMP_TRACE_HOLDS:
  case POMP_TRACE_HOLDS_MORE:
    return hold(m, op, path, time, value);
  case POMP_TRACE_RELEASES:
    m->released = time;
    return release(m, time, value);
  case POMP_TRACE_HANDS_OVER:
    m->released = time;
    sums_of(m, path)[POMP_EXEC_C]++;
    return true;
  case POMP_TRACE_RELEASED:
    return_from_release(m, path, time);
    return true;
  case POMP_TRACE_WAITS:
    tell_departure(m, run->departure_waits, time);
    return true;
  case POMP_TRACE_DEPARTED:
    if (m->left >= 0 && run->departure_team[m->left] == value)
      tell_departure(m, run->departure_ends, time);
    return true;
  case POMP_TRACE_JOINED:
    return tell(&run->joined, run->joined_team, run->joined_time, value, time);
  case POMP_TRACE_ASSEMBLED:
    return tell(&run->assembled, run->assembled_team, run->assembled_time, value, time);
  case POMP_TRACE_ENDS:
    release_all(m, time);
    return true;
  default:
    return true;
  }
}

/* Whether it is about the newest frame. */
static inline bool needs_frame(unsigned op) {
  return op < POMP_TRACE_TELLS && (op >= POMP_TRACE_PHASE || op == POMP_TRACE_LEAVE ||
                                   op == POMP_TRACE_BEGIN || op == POMP_TRACE_DEPARTS);
}

static inline bool run_event(struct machine *m, unsigned op, unsigned path, int64_t time,
                             const int64_t *values, uint64_t count) {
  if (op >= POMP_TRACE_ENTER)
    return open_frame(m, op, path, time, values, count);
  if (op == POMP_TRACE_LEAVE)
    return close_frame(m, time);
  if (op >= POMP_TRACE_MPI)
    return true;
  if (op >= POMP_TRACE_TELLS)
    return take_value(m, op - POMP_TRACE_TELLS, path, time, values, count);
  if (op >= POMP_TRACE_PHASE) {
    if ((op & 0xf0) == POMP_TRACE_COUNTED)
      sums_of(m, path)[POMP_BODY_C]++;
    return change_phase(m, op & 0xf, path, time, (op & 0xf0) == POMP_TRACE_PHASE_AGAIN);
  }
  if (op == POMP_TRACE_BEGIN)
    return begin_region(m, path, time);
  if (op == POMP_TRACE_DEPARTS)
    return depart(m, time);
  return run_other(m, op, path, time, count ? values[0] : 0);
}

static int run_events(struct machine *m) {
  struct pomp_replaying *run = m->run;
  uint64_t at = 0;
  for (uint64_t i = 0; i < run->events; i++) {
    unsigned op = run->op[i], path = run->path[i];
    const int64_t *values = run->value + at;
    uint64_t count = 0;
    while (at < run->value_count && run->value_row[at] <= (int64_t)i)
      at++, count++;
    run->wrong = run->before + i;
    if (path >= run->paths)
      return POMP_REPLAY_PATH;
    if (needs_frame(op) && !m->depth)
      return POMP_REPLAY_NO_VISIT;
    if (!run_event(m, op, path, run->time[i], values, count))
      return POMP_REPLAY_ROOM;
  }
  run->before += run->events;
  return POMP_REPLAY_FINE;
}

static void free_machine(struct machine *m) {
  pomp_locks_free(&m->held);
  free(m->frames);
  free(m);
}

/* Nearly all events make a stretch, and all of them a lock where there is room for one. */
static void make_ready(const struct pomp_replaying *run) {
  HAVE_READY(run->stretch_begin, run->stretches.room);
  HAVE_READY(run->stretch_path, run->stretches.room);
  HAVE_READY(run->stretch_doing, run->stretches.room);
  HAVE_READY(run->lock_lock, run->locks.room);
  HAVE_READY(run->lock_asked, run->locks.room);
  HAVE_READY(run->lock_got, run->locks.room);
  HAVE_READY(run->lock_released, run->locks.room);
}

static struct machine *make_machine(struct pomp_replaying *run) {
  struct machine *m = malloc(sizeof *m);
  if (!m)
    return NULL;
  *m = (struct machine){.run = run, .left = -1, .closed = -1, .lowest_left = -1};
  make_ready(run);
  if (grow(m) && pomp_locks_make(&m->held, run->locks.room)) {
    m->frames[0] = (struct frame){.visit = -1};
    return m;
  }
  free_machine(m);
  return NULL;
}

int pomp_replay(struct pomp_replaying *run) {
  if (!run->machine)
    run->machine = make_machine(run);
  if (!run->machine || run->before + run->events > INT32_MAX)
    return POMP_REPLAY_ROOM;
  int error = run_events(run->machine);
  if (error) {
    free_machine(run->machine);
    run->machine = NULL;
  }
  return error;
}

void pomp_replay_end(struct pomp_replaying *run) {
  struct machine *m = run->machine;
  if (!m)
    return;
  end_stretch(m, run->end);
  while (m->depth)
    end_frame(m, run->end);
  release_all(m, run->end);
  free_machine(m);
  run->machine = NULL;
}
