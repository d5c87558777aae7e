/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cold_events.h"

#include "frames.h"

/* The fork's frame becomes the region's. */
static bool begin_region(struct machine *m, unsigned path, int64_t time) {
  struct frame *f = m->newest;
  book(m, path, POMP_EXEC_C, 1);
  book(m, path, POMP_STARTUP_T, elapsed(f->begin, time));
  f->kind = POMP_FRAME_PARALLEL;
  f->region = depth_of(m);
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
  const struct frame *routine = m->closed;
  if (routine && (!path || routine->path != path || m->closed_end != time))
    routine = NULL;
  run->locks.count++;
  run->lock_path[row] = (uint16_t)path;
  run->lock_lock[row] = lock;
  run->lock_asked[row] = routine ? routine->begin : time;
  run->lock_got[row] = time;
  run->lock_released[row] = run->end;
  run->lock_visit[row] = routine ? lasting(m, routine->visit) : -1;
  return true;
}

static void give_up(struct machine *m, struct pomp_lock *held, int64_t time) {
  struct pomp_replaying *run = m->run;
  int32_t row = held->newest;
  uint64_t took = elapsed(run->lock_got[row], time);
  book(m, run->lock_path[row], POMP_BODY_T, took);
  book(m, run->lock_path[row], POMP_EXEC_T, took);
  run->lock_released[row] = time;
  held->newest = m->held.before[row];
}

static bool release(struct machine *m, int64_t time, int64_t lock) {
  struct pomp_lock *held = pomp_locks_find(&m->held, lock);
  if (held && held->newest >= 0)
    give_up(m, held, time);
  return held;
}

void pomp_release_all(struct machine *m, int64_t time) {
  for (uint32_t i = 0; i < m->held.count; i++)
    while (m->held.entries[i].newest >= 0)
      give_up(m, &m->held.entries[i], time);
  pomp_locks_clear(&m->held);
}

/* A call that releases is back before the thread makes another. */
static void return_from_release(struct machine *m, unsigned path, int64_t time) {
  book(m, path, POMP_EXIT_T, elapsed(m->released, time));
  book(m, path, POMP_EXEC_T, elapsed(m->released, time));
}

static bool depart(struct machine *m, int64_t time) {
  struct pomp_replaying *run = m->run;
  const struct frame *f = m->newest;
  uint64_t row = run->departures.count;
  if (row >= run->departures.room)
    return false;
  m->left = (int64_t)row;
  m->left_met = f->met;
  m->left_ordinal = f->kind == POMP_FRAME_PARALLEL && f->ordinal >= 0 ? f->barriers : -1;
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

/* In the barrier at the region's end: what it met before was another one. */
static bool wait_at_end(struct machine *m, int64_t time) {
  struct pomp_replaying *run = m->run;
  int32_t ordinal = m->left_ordinal;
  tell_departure(m, run->departure_waits, time);
  m->left_ordinal = -1;
  return ordinal < 0 || pass(run, run->departure_visit[m->left], ordinal, m->left_met, time);
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
  run->value_visit[row] = lasting(m, m->newest->visit);
  run->value_type[row] = (uint8_t)type;
  run->value_value[row] = value_of(type, values, count);
  return true;
}

bool pomp_run_cold_event(struct machine *m, unsigned op, unsigned path, int64_t time,
                         const int64_t *values, uint64_t count) {
  struct pomp_replaying *run = m->run;
  int64_t value = count ? values[0] : 0;
  switch (op) {
  case POMP_TRACE_BEGIN:
    return begin_region(m, path, time);
  case POMP_TRACE_DEPARTS:
    return depart(m, time);
  case POMP_TRACE_TELLS + POMP_TRACE_SIGNED:
  case POMP_TRACE_TELLS + POMP_TRACE_UNSIGNED:
  case POMP_TRACE_TELLS + POMP_TRACE_REAL:
    return take_value(m, op - POMP_TRACE_TELLS, path, time, values, count);
  case POMP_TRACE_COUNT_BODY:
    book(m, path, POMP_BODY_C, 1);
    return true;
  case POMP_TRACE_VISITS:
    book(m, path, POMP_EXEC_C, 1);
    return true;
  case POMP_TRACE_HOLDS:
  case POMP_TRACE_HOLDS_MORE:
    return hold(m, op, path, time, value);
  case POMP_TRACE_RELEASES:
    m->released = time;
    return release(m, time, value);
  case POMP_TRACE_HANDS_OVER:
    m->released = time;
    book(m, path, POMP_EXEC_C, 1);
    return true;
  case POMP_TRACE_RELEASED:
    return_from_release(m, path, time);
    return true;
  case POMP_TRACE_WAITS:
    return wait_at_end(m, time);
  case POMP_TRACE_DEPARTED:
    if (!value)
      m->left = -1;
    else if (m->left >= 0 && run->departure_team[m->left] == value)
      tell_departure(m, run->departure_ends, time);
    return true;
  case POMP_TRACE_JOINED:
    return tell(&run->joined, run->joined_team, run->joined_time, value, time);
  case POMP_TRACE_ASSEMBLED:
    return tell(&run->assembled, run->assembled_team, run->assembled_time, value, time);
  case POMP_TRACE_ENDS:
    pomp_release_all(m, time);
    return true;
  default:
    return true;
  }
}
