/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Columns that Python allocates: pomp_clang/trace/kernel.py has the same members in the same order.
 * Their meaning: pomp_clang/trace/model.py and replay.py. */
#ifndef POMP_REPLAY_COLUMNS_H
#define POMP_REPLAY_COLUMNS_H

#include <stdint.h>

/* A table's rows so far, and for how many there is room. */
struct pomp_rows {
  uint64_t room, count;
};

struct pomp_decoding {
  const uint8_t *fewest;  /* by operation: 1 + how many values it needs; 0: not known */
  const uint8_t *is_path; /* by call path */
  struct pomp_rows events;
  int64_t *time;
  uint8_t *op;
  uint16_t *path;
  struct pomp_rows values;
  int64_t *value_row;
  int64_t *value;
  uint64_t wrong; /* the operation, path or event that was refused */
};

/* A block's words, up to the first that is 0; `swap`: their bytes are in the other order. */
struct pomp_words {
  const uint8_t *fewest;  /* as those of a decoding */
  const uint8_t *is_path; /* the same */
  const uint64_t *words;
  uint64_t count;
  uint64_t base;
  uint64_t swap;
};

struct machine;
struct pomp_telling;

/* The events are a piece of those of a location; the tables and sums are of all pieces. */
struct pomp_replaying {
  struct machine *machine; /* the frames open between two pieces; NULL before the first */
  uint64_t before;         /* events of the pieces before */
  uint64_t events;
  const int64_t *time;
  const uint8_t *op;
  const uint16_t *path;
  uint64_t value_count;
  const int64_t *value_row;
  const int64_t *value;
  const int64_t *critical; /* by call path: its lock, 0 for none */
  uint64_t paths;
  uint64_t *sums; /* by call path and enum pomp_column, up to POMP_SUMS; NULL with a telling */
  int64_t end;
  uint64_t wrong; /* the event that was refused, of all pieces'; its operation or call path */

  struct pomp_rows intervals;
  int64_t *interval_begin;
  uint16_t *interval_path;
  uint8_t *interval_phase;
  int32_t *interval_visit;

  struct pomp_rows visits;
  int64_t *visit_begin;
  int64_t *visit_end;
  uint16_t *visit_path;
  uint8_t *visit_kind;
  uint8_t *visit_how;
  int32_t *visit_outer;
  int64_t *visit_team;
  int32_t *visit_ordinal;

  struct pomp_rows earlier;
  int32_t *earlier_visit;
  int32_t *earlier_ordinal;
  int64_t *earlier_begin;
  int64_t *earlier_until;

  struct pomp_rows locks;
  uint16_t *lock_path;
  int64_t *lock_lock;
  int64_t *lock_asked;
  int64_t *lock_got;
  int64_t *lock_released;
  int32_t *lock_visit;

  struct pomp_rows numbered;
  int32_t *numbered_visit;
  int64_t *numbered_number;

  struct pomp_rows departures;
  int32_t *departure_visit;
  int64_t *departure_team;
  int64_t *departure_since;
  int64_t *departure_waits;
  int64_t *departure_ends;
  int64_t *departure_tasks;

  struct pomp_rows joined;
  int64_t *joined_team;
  int64_t *joined_time;

  struct pomp_rows assembled;
  int64_t *assembled_team;
  int64_t *assembled_time;

  struct pomp_rows values;
  uint16_t *value_path;
  int64_t *value_time;
  int32_t *value_visit;
  uint8_t *value_type;
  int64_t *value_value;

  /* NULL where intervals have phases and visits; activities.h */
  const struct pomp_telling *telling;
  uint8_t *interval_doing;

  struct pomp_rows marks;
  int32_t *mark_interval;
  int32_t *mark_visit;
  uint8_t *mark_phase;
};

enum pomp_replay_error {
  POMP_REPLAY_FINE,
  POMP_REPLAY_OP,       /* is not known */
  POMP_REPLAY_PATH,     /* is not known */
  POMP_REPLAY_NO_EVENT, /* a value comes first */
  POMP_REPLAY_NO_VALUE, /* an event has fewer than it needs */
  POMP_REPLAY_NO_VISIT, /* an event is of none */
  POMP_REPLAY_ROOM      /* there is not enough, of the tables' or the machine's */
};

#define POMP_REPLAY_EXPORT __attribute__((visibility("default")))

/* A block's words, up to the first that is 0, become more rows; there has to be room for them.
 * `swap`: their bytes are in the other order. */
POMP_REPLAY_EXPORT int pomp_decode(struct pomp_decoding *to, const uint64_t *words, uint64_t count,
                                   uint64_t base, int swap);

/* How often each of the 256 operations is there, of a block's words: values' among them. */
POMP_REPLAY_EXPORT void pomp_decode_count(const uint64_t *words, uint64_t count, int swap,
                                          uint64_t *counts);

/* How often each of the 256 operations is there; the largest call path. */
POMP_REPLAY_EXPORT unsigned pomp_replay_count(uint64_t events, const uint8_t *op,
                                              const uint16_t *path, uint64_t *counts);

/* Runs through a piece. */
POMP_REPLAY_EXPORT int pomp_replay(struct pomp_replaying *run);

/* The same of one that is a block, whose events are no columns. */
POMP_REPLAY_EXPORT int pomp_replay_words(struct pomp_replaying *run,
                                         const struct pomp_words *piece);

/* Closes all open frames, unless the last piece was refused. */
POMP_REPLAY_EXPORT void pomp_replay_end(struct pomp_replaying *run);

/* Sizes of the four structures and of a row of sums. */
POMP_REPLAY_EXPORT void pomp_replay_sizes(uint64_t sizes[5]);

#endif
