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

void pomp_replay_sizes(uint64_t sizes[4]) {
  sizes[0] = sizeof(struct pomp_decoding);
  sizes[1] = sizeof(struct pomp_words);
  sizes[2] = sizeof(struct pomp_replaying);
  sizes[3] = POMP_SUMS;
}

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

static void release_all(struct machine *m, int64_t time) {
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

/* What is of no frame, or seldom. */
static bool run_other(struct machine *m, unsigned op, unsigned path, int64_t time, int64_t value) {
  struct pomp_replaying *run = m->run;
  switch (op) {
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

static inline __attribute__((always_inline)) bool run_event(struct machine *m, unsigned op,
                                                            unsigned path, int64_t time,
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
      book(m, path, POMP_BODY_C, 1);
    return change_phase(m, op & 0xf, path, time, (op & 0xf0) == POMP_TRACE_PHASE_AGAIN);
  }
  if (op == POMP_TRACE_BEGIN)
    return begin_region(m, path, time);
  if (op == POMP_TRACE_DEPARTS)
    return depart(m, time);
  return run_other(m, op, path, time, count ? values[0] : 0);
}

static int refuse_as(struct pomp_replaying *run, enum pomp_replay_error error, uint64_t wrong) {
  run->wrong = wrong;
  return error;
}

static int refuse(struct pomp_replaying *run, enum pomp_replay_error error, uint64_t event) {
  return refuse_as(run, error, run->before + event);
}

static int run_events(struct machine *m) {
  struct pomp_replaying *run = m->run;
  const int64_t *times = run->time, *value_rows = run->value_row, *values = run->value;
  const uint8_t *ops = run->op;
  const uint16_t *paths = run->path;
  uint64_t at = 0, events = run->events, value_count = run->value_count, path_count = run->paths;
  for (uint64_t i = 0; i < events; i++) {
    unsigned op = ops[i], path = paths[i];
    uint64_t count = 0;
    while (at + count < value_count && value_rows[at + count] <= (int64_t)i)
      count++;
    if (path >= path_count)
      return refuse(run, POMP_REPLAY_PATH, i);
    if (!is_open(m) && needs_frame(op))
      return refuse(run, POMP_REPLAY_NO_VISIT, i);
    if (!run_event(m, op, path, times[i], values + at, count))
      return refuse(run, POMP_REPLAY_ROOM, i);
    at += count;
  }
  run->before += events;
  return POMP_REPLAY_FINE;
}

/* How many values stand right behind a word; the first of them are taken. */
static inline uint64_t take_words(const struct pomp_words *piece, uint64_t at, bool swap,
                                  int64_t values[POMP_TRACE_MOST_VALUES]) {
  uint64_t count = 0;
  for (; at + count < piece->count; count++) {
    uint64_t word = swap ? __builtin_bswap64(piece->words[at + count]) : piece->words[at + count];
    if ((word & 0xff) != POMP_TRACE_VALUE)
      break;
    if (count < POMP_TRACE_MOST_VALUES)
      values[count] = (int64_t)(word >> 8);
  }
  return count;
}

static inline __attribute__((always_inline)) int
run_words(struct machine *m, const struct pomp_words *piece, bool swap) {
  struct pomp_replaying *run = m->run;
  uint64_t event = 0;
  for (uint64_t at = 0; at < piece->count && piece->words[at]; event++) {
    uint64_t word = swap ? __builtin_bswap64(piece->words[at]) : piece->words[at];
    unsigned op = word & 0xff, path = word >> 8 & 0xffff, needs = piece->fewest[op];
    int64_t time = (int64_t)(piece->base + (word >> 24)), values[POMP_TRACE_MOST_VALUES];
    if (!needs)
      return refuse_as(run, op == POMP_TRACE_VALUE ? POMP_REPLAY_NO_EVENT : POMP_REPLAY_OP, op);
    if (!piece->is_path[path])
      return refuse_as(run, POMP_REPLAY_PATH, path);
    uint64_t count = take_words(piece, at + 1, swap, values);
    if (count + 1 < needs)
      return refuse(run, POMP_REPLAY_NO_VALUE, event);
    if (!is_open(m) && needs_frame(op))
      return refuse(run, POMP_REPLAY_NO_VISIT, event);
    if (!run_event(m, op, path, time, values, count))
      return refuse(run, POMP_REPLAY_ROOM, event);
    at += 1 + count;
  }
  run->before += event;
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
  *m =
      (struct machine){.run = run, .left = -1, .closed = -1, .lowest_left = -1, .left_ordinal = -1};
  make_ready(run);
  m->ticks = m->serial = &m->unused;
  if (grow(m) && pomp_locks_make(&m->held, run->locks.room)) {
    m->frames[0] = (struct frame){.visit = -1};
    return m;
  }
  free_machine(m);
  return NULL;
}

/* NULL where there is not enough memory, or no room for so many more events. */
static struct machine *machine_for(struct pomp_replaying *run, uint64_t events) {
  if (!run->machine)
    run->machine = make_machine(run);
  return run->before + events > INT32_MAX ? NULL : run->machine;
}

static int ran(struct pomp_replaying *run, int error) {
  if (error) {
    free_machine(run->machine);
    run->machine = NULL;
  }
  return error;
}

int pomp_replay(struct pomp_replaying *run) {
  struct machine *m = machine_for(run, run->events);
  return m ? ran(run, run_events(m)) : POMP_REPLAY_ROOM;
}

int pomp_replay_words(struct pomp_replaying *run, const struct pomp_words *piece) {
  struct machine *m = machine_for(run, piece->count);
  if (!m)
    return POMP_REPLAY_ROOM;
  return ran(run, piece->swap ? run_words(m, piece, true) : run_words(m, piece, false));
}

void pomp_replay_end(struct pomp_replaying *run) {
  struct machine *m = run->machine;
  if (!m)
    return;
  end_stretch(m, run->end);
  while (is_open(m))
    end_frame(m, run->end);
  release_all(m, run->end);
  free_machine(m);
  run->machine = NULL;
}
