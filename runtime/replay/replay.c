/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cold_events.h"
#include "frames.h"
#include "populate.h"

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

void pomp_replay_sizes(uint64_t sizes[5]) {
  sizes[0] = sizeof(struct pomp_decoding);
  sizes[1] = sizeof(struct pomp_words);
  sizes[2] = sizeof(struct pomp_replaying);
  sizes[3] = sizeof(struct pomp_telling);
  sizes[4] = POMP_SUMS;
}

/* True if the event is about the newest frame. */
static inline bool needs_frame(unsigned op) {
  return op < POMP_TRACE_TELLS && (op >= POMP_TRACE_PHASE || op == POMP_TRACE_LEAVE ||
                                   op == POMP_TRACE_BEGIN || op == POMP_TRACE_DEPARTS);
}

POMP_SHORT bool run_event(struct machine *m, unsigned op, unsigned path, int64_t time,
                          const int64_t *values, uint64_t count) {
  if (op >= POMP_TRACE_ENTER)
    return open_frame(m, op, path, time, values, count);
  if (op == POMP_TRACE_LEAVE)
    return close_frame(m, time);
  if (op >= POMP_TRACE_PHASE && op < POMP_TRACE_TELLS) {
    if (!m->telling && (op & 0xf0) == POMP_TRACE_COUNTED)
      book(m, path, POMP_BODY_C, 1);
    return change_phase(m, op & 0xf, path, time, (op & 0xf0) == POMP_TRACE_PHASE_AGAIN);
  }
  keep(m);
  bool is_fine = pomp_run_cold_event(m->kept, op, path, time, values, count);
  take_up(m);
  return is_fine;
}

static int refuse_as(struct pomp_replaying *run, enum pomp_replay_error error, uint64_t wrong) {
  run->wrong = wrong;
  return error;
}

static int refuse(struct pomp_replaying *run, enum pomp_replay_error error, uint64_t event) {
  return refuse_as(run, error, run->before + event);
}

POMP_SHORT int run_columns(struct machine *m) {
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

/* How many values stand there; the first of them are taken. */
static inline uint64_t take_words(const uint64_t *at, const uint64_t *end, bool swap,
                                  int64_t values[POMP_TRACE_MOST_VALUES]) {
  uint64_t count = 0;
  for (; at + count < end; count++) {
    uint64_t word = swap ? __builtin_bswap64(at[count]) : at[count];
    if ((word & 0xff) != POMP_TRACE_VALUE)
      break;
    if (count < POMP_TRACE_MOST_VALUES)
      values[count] = (int64_t)(word >> 8);
  }
  return count;
}

/* True if the event may have values that are not needed. */
static inline bool may_have_values(unsigned op) {
  return op >= POMP_TRACE_ENTER && ONE_OF(kind_of(op), TEAMS | 1u << POMP_FRAME_TASK);
}

/* Operations without use for values pass over them. */
POMP_SHORT int run_words(struct machine *m, const struct pomp_words *piece, bool swap) {
  struct pomp_replaying *run = m->run;
  const uint8_t *fewest = piece->fewest, *is_path = piece->is_path;
  const uint64_t *begin = piece->words, *end = begin + piece->count, *at = begin;
  uint64_t base = piece->base, others = 0;
  for (; at < end && *at; at++) {
    uint64_t word = swap ? __builtin_bswap64(*at) : *at, count = 0;
    unsigned op = word & 0xff, path = word >> 8 & 0xffff, needs = fewest[op];
    int64_t time = (int64_t)(base + (word >> 24)), values[POMP_TRACE_MOST_VALUES];
    if (!needs && op == POMP_TRACE_VALUE && at > begin) {
      others++;
      continue;
    }
    if (!needs)
      return refuse_as(run, op == POMP_TRACE_VALUE ? POMP_REPLAY_NO_EVENT : POMP_REPLAY_OP, op);
    if (!is_path[path])
      return refuse_as(run, POMP_REPLAY_PATH, path);
    if (needs > 1 || may_have_values(op)) {
      count = take_words(at + 1, end, swap, values);
      if (count + 1 < needs)
        return refuse(run, POMP_REPLAY_NO_VALUE, (uint64_t)(at - begin) - others);
      at += count;
      others += count;
    }
    if (!is_open(m) && needs_frame(op))
      return refuse(run, POMP_REPLAY_NO_VISIT, (uint64_t)(at - begin) - others);
    if (!run_event(m, op, path, time, values, count))
      return refuse(run, POMP_REPLAY_ROOM, (uint64_t)(at - begin) - others);
  }
  run->before += (uint64_t)(at - begin) - others;
  return POMP_REPLAY_FINE;
}

/* With a copy of the machine; of columns where there is no piece. */
POMP_SHORT int run_through(struct pomp_replaying *run, const struct pomp_words *piece, bool swap,
                           const struct pomp_telling *telling) {
  struct machine m = *run->machine;
  m.run = run;
  m.telling = telling;
  int error = piece ? run_words(&m, piece, swap) : run_columns(&m);
  keep(&m);
  return error;
}

static void free_machine(struct machine *m) {
  pomp_locks_free(&m->held);
  free(m->frames);
  free(m->outside);
  free(m);
}

/* Nearly all events make a interval, and all of them a lock where there is room for one. */
static void make_ready(const struct pomp_replaying *run) {
  HAVE_READY(run->interval_begin, run->intervals.room);
  HAVE_READY(run->interval_path, run->intervals.room);
  HAVE_READY(run->interval_doing, run->intervals.room);
  HAVE_READY(run->lock_lock, run->locks.room);
  HAVE_READY(run->lock_asked, run->locks.room);
  HAVE_READY(run->lock_got, run->locks.room);
  HAVE_READY(run->lock_released, run->locks.room);
}

/* The frame that stands for none. */
static struct frame none(const struct machine *m) {
  struct frame f = {.visit = -1, .table = m->outside};
  if (m->telling) {
    f.doing = (uint8_t)m->telling->none;
    f.ticks = &m->outside[f.doing];
  }
  return f;
}

static struct machine *make_machine(struct pomp_replaying *run) {
  const struct pomp_telling *telling = run->telling;
  struct machine *m = malloc(sizeof *m);
  if (!m)
    return NULL;
  *m = (struct machine){.kept = m,
                        .run = run,
                        .telling = telling,
                        .left = -1,
                        .lowest_left = -1,
                        .left_ordinal = -1,
                        .marked = -1};
  make_ready(run);
  m->ticks = &m->unused;
  bool is_fine = grow(m) && pomp_locks_make(&m->held, run->locks.room);
  if (is_fine && telling)
    is_fine = (m->outside = calloc(run->paths * telling->codes, sizeof *m->outside));
  if (is_fine) {
    m->frames[0] = none(m);
    return m;
  }
  free_machine(m);
  return NULL;
}

/* Returns NULL if there is not enough memory, or no room for that many more events. */
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
  const struct pomp_telling *to = run->telling;
  if (!machine_for(run, run->events))
    return POMP_REPLAY_ROOM;
  return ran(run, to ? run_through(run, NULL, false, to) : run_through(run, NULL, false, NULL));
}

int pomp_replay_words(struct pomp_replaying *run, const struct pomp_words *piece) {
  const struct pomp_telling *to = run->telling;
  if (!machine_for(run, piece->count))
    return POMP_REPLAY_ROOM;
  if (piece->swap)
    return ran(run, to ? run_through(run, piece, true, to) : run_through(run, piece, true, NULL));
  return ran(run, to ? run_through(run, piece, false, to) : run_through(run, piece, false, NULL));
}

void pomp_replay_end(struct pomp_replaying *run) {
  struct machine *m = run->machine;
  if (!m)
    return;
  add_ticks(m->ticks, elapsed(m->now, run->end));
  while (is_open(m)) {
    const struct frame *f = m->newest;
    end_frame(m, run->end);
    end_departed_task(m, f, run->end);
  }
  pomp_release_all(m, run->end);
  if (m->telling)
    tell_outside(m);
  run->intervals.count = m->intervals;
  run->visits.count = m->visits;
  free_machine(m);
  run->machine = NULL;
}
