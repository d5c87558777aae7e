/* Decodes and replays what it is given as words, in both ways, with just the room that Python
 * allows. */
#include "columns.h"
#include "activities.h"
#include "trace/trace_format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { PATHS = 8, MPI_OPERATIONS = 8, MPI_ROLES = 5, MPI_STATES = 8, MPI_MOST = 5 };

/* As pomp_clang/trace/layout.py has them. */
static void say_known(uint8_t *fewest) {
  for (unsigned op = POMP_TRACE_LEAVE; op <= POMP_TRACE_ENDS; op++)
    fewest[op] = 1;
  for (unsigned phase = 0; phase < 16; phase++)
    fewest[POMP_TRACE_PHASE + phase] = fewest[POMP_TRACE_COUNTED + phase] =
        fewest[POMP_TRACE_PHASE_AGAIN + phase] = 1;
  for (unsigned kind = POMP_FRAME_SIMPLE; kind <= POMP_FRAME_TASK; kind++)
    for (unsigned how = 0; how < 8; how++)
      fewest[POMP_TRACE_ENTER | kind << 3 | how] = 1;
  fewest[POMP_TRACE_JOINED] = fewest[POMP_TRACE_DEPARTED] = fewest[POMP_TRACE_ASSEMBLED] = 2;
  fewest[POMP_TRACE_HOLDS] = fewest[POMP_TRACE_HOLDS_MORE] = 2;
  for (unsigned type = POMP_TRACE_SIGNED; type <= POMP_TRACE_REAL; type++)
    fewest[POMP_TRACE_TELLS + type] = 2;
  fewest[POMP_TRACE_MPI] = fewest[POMP_TRACE_MPI + 1] = 2;
  fewest[POMP_TRACE_MPI + 2] = fewest[POMP_TRACE_MPI + 3] = 1;
  for (unsigned op = 0; op < MPI_ROLES * MPI_STATES; op++)
    fewest[POMP_TRACE_MPI + MPI_OPERATIONS + op] = 3 + op % (MPI_MOST - 1);
  fewest[POMP_TRACE_RELEASES] = fewest[POMP_TRACE_HANDS_OVER] = 2;
}

static void *made[256];
static size_t count;

/* Each column has its own allocation, so that a write behind its end is detected. */
static void *column(uint64_t rows, size_t size) {
  return made[count++] = rows ? malloc(rows * size) : malloc(1);
}

#define COLUMN(pointer, rows) (pointer) = column(rows, sizeof *(pointer))

static uint64_t all_of(const uint64_t *counts, unsigned from, unsigned to) {
  uint64_t sum = 0;
  for (unsigned op = from; op < to; op++)
    sum += counts[op];
  return sum;
}

static uint64_t barriers_of(const uint64_t *counts) {
  return counts[POMP_TRACE_PHASE + POMP_EXIT_BAR_T] + counts[POMP_TRACE_COUNTED + POMP_EXIT_BAR_T] +
         counts[POMP_TRACE_PHASE_AGAIN + POMP_EXIT_BAR_T];
}

static void make_rooms(struct pomp_replaying *run, const uint64_t *counts) {
  const unsigned sync = POMP_TRACE_ENTER | POMP_FRAME_SYNC << 3;
  const unsigned task = POMP_TRACE_ENTER | POMP_FRAME_TASK << 3;
  run->intervals.room = counts[POMP_TRACE_LEAVE] + counts[POMP_TRACE_BEGIN];
  run->intervals.room += all_of(counts, POMP_TRACE_PHASE, 256);
  run->visits.room = all_of(counts, POMP_TRACE_ENTER, 256);
  run->earlier.room = barriers_of(counts) + counts[POMP_TRACE_WAITS];
  run->locks.room = counts[POMP_TRACE_HOLDS] + counts[POMP_TRACE_HOLDS_MORE];
  run->locks.room += all_of(counts, sync, sync + 8);
  run->numbered.room = all_of(counts, task, task + 8);
  run->departures.room = counts[POMP_TRACE_DEPARTS];
  run->joined.room = counts[POMP_TRACE_JOINED];
  run->assembled.room = counts[POMP_TRACE_ASSEMBLED];
  run->values.room = all_of(counts, POMP_TRACE_TELLS, POMP_TRACE_TELLS + 3);
  run->marks.room = run->intervals.room;
}

static void make_columns(struct pomp_replaying *run) {
  COLUMN(run->interval_begin, run->intervals.room);
  COLUMN(run->interval_path, run->intervals.room);
  if (run->telling) {
    COLUMN(run->interval_doing, run->intervals.room);
    COLUMN(run->mark_interval, run->marks.room);
    COLUMN(run->mark_visit, run->marks.room);
    COLUMN(run->mark_phase, run->marks.room);
  } else {
    COLUMN(run->interval_phase, run->intervals.room);
    COLUMN(run->interval_visit, run->intervals.room);
  }
  COLUMN(run->visit_begin, run->visits.room);
  COLUMN(run->visit_end, run->visits.room);
  COLUMN(run->visit_path, run->visits.room);
  COLUMN(run->visit_kind, run->visits.room);
  COLUMN(run->visit_how, run->visits.room);
  COLUMN(run->visit_outer, run->visits.room);
  COLUMN(run->visit_team, run->visits.room);
  COLUMN(run->visit_ordinal, run->visits.room);
  COLUMN(run->earlier_visit, run->earlier.room);
  COLUMN(run->earlier_ordinal, run->earlier.room);
  COLUMN(run->earlier_begin, run->earlier.room);
  COLUMN(run->earlier_until, run->earlier.room);
  COLUMN(run->lock_path, run->locks.room);
  COLUMN(run->lock_lock, run->locks.room);
  COLUMN(run->lock_asked, run->locks.room);
  COLUMN(run->lock_got, run->locks.room);
  COLUMN(run->lock_released, run->locks.room);
  COLUMN(run->lock_visit, run->locks.room);
  COLUMN(run->numbered_visit, run->numbered.room);
  COLUMN(run->numbered_number, run->numbered.room);
  COLUMN(run->departure_visit, run->departures.room);
  COLUMN(run->departure_team, run->departures.room);
  COLUMN(run->departure_since, run->departures.room);
  COLUMN(run->departure_waits, run->departures.room);
  COLUMN(run->departure_ends, run->departures.room);
  COLUMN(run->departure_tasks, run->departures.room);
  COLUMN(run->joined_team, run->joined.room);
  COLUMN(run->joined_time, run->joined.room);
  COLUMN(run->assembled_team, run->assembled.room);
  COLUMN(run->assembled_time, run->assembled.room);
  COLUMN(run->value_path, run->values.room);
  COLUMN(run->value_time, run->values.room);
  COLUMN(run->value_visit, run->values.room);
  COLUMN(run->value_type, run->values.room);
  COLUMN(run->value_value, run->values.room);
}

/* From some event on, up to another. */
static void take_piece(struct pomp_replaying *run, const struct pomp_decoding *from, uint64_t begin,
                       uint64_t end) {
  uint64_t first = 0, last;
  int64_t *rows = column(from->values.count, sizeof *rows);
  while (first < from->values.count && (uint64_t)from->value_row[first] < begin)
    first++;
  for (last = first; last < from->values.count && (uint64_t)from->value_row[last] < end; last++)
    rows[last] = from->value_row[last] - (int64_t)begin;
  run->events = end - begin;
  run->time = from->time + begin;
  run->op = from->op + begin;
  run->path = from->path + begin;
  run->value_count = last - first;
  run->value_row = rows + first;
  run->value = from->value + first;
}

enum { CLASSES = 2, CODES = 4 };

/* Codes are of all kinds and phases; every other one is marked, every third kind of visit kept. */
static void tell(struct pomp_telling *to) {
  static const uint8_t classes[PATHS] = {0, 1, 0, 1, 0, 1, 0, 1};
  static const uint8_t is_marked[CODES] = {0, 1, 0, 1};
  static uint8_t table[POMP_KINDS * POMP_PHASES * CLASSES], is_kept[POMP_KINDS * CLASSES];
  static int64_t ticks[PATHS * CODES], serial[PATHS], gone[PATHS];
  for (unsigned i = 0; i < sizeof table; i++)
    table[i] = (uint8_t)(i / 3 % CODES);
  for (unsigned i = 0; i < sizeof is_kept; i++)
    is_kept[i] = i % 3 == 0;
  *to = (struct pomp_telling){.path_class = classes,
                              .table = table,
                              .codes = CODES,
                              .is_marked = is_marked,
                              .is_kept = is_kept,
                              .ticks = ticks,
                              .serial = serial,
                              .gone = gone};
}

static const int64_t critical[PATHS] = {0, 0, -1, -2};
static uint64_t sums[PATHS * POMP_SUMS];

static struct pomp_replaying start(const struct pomp_telling *telling, const uint64_t *counts) {
  struct pomp_replaying run = {.critical = critical,
                               .paths = PATHS,
                               .sums = telling ? NULL : sums,
                               .end = 1000000,
                               .telling = telling};
  memset(sums, 0, sizeof sums);
  make_rooms(&run, counts);
  make_columns(&run);
  return run;
}

/* In two pieces. */
static int replay(struct pomp_replaying *run, const struct pomp_decoding *from) {
  uint64_t half = from->events.count / 2;
  take_piece(run, from, 0, half);
  int error = pomp_replay(run);
  if (!error) {
    take_piece(run, from, half, from->events.count);
    error = pomp_replay(run);
  }
  pomp_replay_end(run);
  return error;
}

static bool are_same(const struct pomp_rows *one, const struct pomp_rows *other, const void *column,
                     const void *others, size_t size) {
  return one->count == other->count && (!one->count || !memcmp(column, others, one->count * size));
}

/* The words themselves say the same as their columns. */
static void compare(const struct pomp_decoding *from, const struct pomp_words *piece,
                    const struct pomp_telling *telling) {
  uint64_t counts[256];
  unsigned largest = pomp_replay_count(from->events.count, from->op, from->path, counts);
  struct pomp_replaying one = start(telling, counts);
  int error = replay(&one, from);
  struct pomp_replaying other = start(telling, counts);
  int others = pomp_replay_words(&other, piece);
  pomp_replay_end(&other);
  if (largest >= PATHS || error != others || (error && error != POMP_REPLAY_NO_VISIT))
    abort();
  if (!error &&
      !(are_same(&one.intervals, &other.intervals, one.interval_begin, other.interval_begin, 8) &&
        are_same(&one.visits, &other.visits, one.visit_end, other.visit_end, 8) &&
        are_same(&one.locks, &other.locks, one.lock_asked, other.lock_asked, 8) &&
        are_same(&one.values, &other.values, one.value_value, other.value_value, 8)))
    abort();
}

/* A block that cannot be decoded cannot be replayed either. */
static void refuse(const struct pomp_words *piece, const uint64_t *counts, int expected) {
  struct pomp_replaying run = start(NULL, counts);
  int error = pomp_replay_words(&run, piece);
  pomp_replay_end(&run);
  if (error != expected && error != POMP_REPLAY_NO_VISIT)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t fewest[256] = {0}, *is_path = calloc(1 << 16, 1);
  uint64_t words = size / 8;
  uint64_t *word = column(words, sizeof *word);
  memcpy(word, data, words * 8);
  say_known(fewest);
  memset(is_path, 1, PATHS);
  struct pomp_decoding to = {
      .fewest = fewest, .is_path = is_path, .events.room = words, .values.room = words};
  COLUMN(to.time, words);
  COLUMN(to.op, words);
  COLUMN(to.path, words);
  COLUMN(to.value_row, words);
  COLUMN(to.value, words);
  uint64_t counted[256] = {0}, all = 0;
  pomp_decode_count(word, words, size & 1, counted);
  for (unsigned op = 0; op < 256; op++)
    all += counted[op];
  struct pomp_words piece = {fewest, is_path, word, words, 0, size & 1};
  int error = pomp_decode(&to, word, words, 0, size & 1);
  if (error)
    refuse(&piece, counted, error);
  else {
    if (all != to.events.count + to.values.count)
      abort();
    struct pomp_telling telling;
    tell(&telling);
    compare(&to, &piece, NULL);
    compare(&to, &piece, &telling);
  }
  free(is_path);
  while (count)
    free(made[--count]);
  return 0;
}
