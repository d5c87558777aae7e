/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Events of OTF2 archives: pomp_clang/trace/otf2/decode_events.py and event_interpreter.py. */
#ifndef POMP_REPLAY_ARCHIVE_H
#define POMP_REPLAY_ARCHIVE_H

#include "columns.h"

/* Appends a chunk's events to the rows.  The first four columns are by event type: the number of
 * fields, whether a byte stands before them, which field is a byte, and whether the length of the
 * fields is left out.  Fields beyond the first three are 0 before. */
struct pomp_unpacking {
  const uint8_t *fields;
  const uint8_t *has_model;
  const uint8_t *byte;
  const uint8_t *is_plain;
  struct pomp_rows events;
  int64_t *time;
  uint8_t *type;
  int64_t *first; /* -1: undefined */
  int64_t *second;
  int64_t *third;
  int64_t *fourth;
  int64_t *fifth;
  int64_t *sixth;
  uint64_t wrong; /* the offset of the byte that was refused */
};

enum pomp_unpack_error {
  POMP_UNPACK_FINE,
  POMP_UNPACK_RECORD, /* is not known */
  POMP_UNPACK_CUT,    /* the chunk has no end */
  POMP_UNPACK_NO_TIME,
  POMP_UNPACK_FIELDS /* are longer than their event */
};

POMP_REPLAY_EXPORT int pomp_unpack(struct pomp_unpacking *to, const uint8_t *bytes, uint64_t size);

/* Meanings of entering a region. */
enum pomp_means {
  POMP_MEANS_FRAME,
  POMP_MEANS_PARALLEL,
  POMP_MEANS_TASK,
  POMP_MEANS_LOCK,
  POMP_MEANS_RELEASE,
  POMP_MEANS_BARRIER,
  POMP_MEANS_BLOCK,
  POMP_MEANS_MAKING,
  POMP_MEANS_WAIT
};

/* Call paths of all locations, numbered from 1 as they are met; the columns have one row more.
 * `index` has twice as many places as a power of two that is no less than `room`. */
struct pomp_callpaths {
  uint64_t room, count, places;
  uint16_t *above;
  int64_t *region;
  uint8_t *task;
  uint8_t *recurs; /* the region is within itself, of the same task */
  uint32_t *index;
};

struct pomp_open;

/* A location that goes on from event `at`.  An event's first column is a row of plans or of teams,
 * a lock or a word's operation, by its type; the second is a lock's row in `held`; -1 is none.  The
 * plan says what entering a region means. */
struct pomp_understanding {
  uint64_t events;
  const int64_t *time;
  const uint8_t *type;
  const int64_t *first;
  const int64_t *second;
  uint64_t plans;
  const uint8_t *plan_means;
  const uint8_t *plan_kind;
  const uint8_t *plan_how;
  const int64_t *plan_region;
  struct pomp_callpaths *paths;
  const int64_t *team_fork;
  int64_t *team_path; /* 0: its master is not there yet */
  int64_t *held;
  struct pomp_rows out;
  int64_t *out_time;
  uint8_t *out_op;
  uint16_t *out_path;
  struct pomp_rows values;
  int64_t *value_row;
  int64_t *value;
  int64_t now;
  int64_t team; /* the one that it belongs to; -1 */
  uint64_t at;
  struct pomp_open *open;
};

enum pomp_understand_error {
  POMP_UNDERSTAND_FINE,
  POMP_UNDERSTAND_UNKNOWN, /* the event leaves a region that was not entered, or its region is not
                              defined */
  POMP_UNDERSTAND_PATHS,   /* are too many */
  POMP_UNDERSTAND_ROOM
};

/* Goes on up to `until`, or to where a team's master has to be waited for. */
POMP_REPLAY_EXPORT int pomp_understand(struct pomp_understanding *run, uint64_t until);

POMP_REPLAY_EXPORT void pomp_understood(struct pomp_understanding *run);

#endif
