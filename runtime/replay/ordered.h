/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The logical clock: shifts the moments of several processes until each effect comes after its
 * cause. pomp_clang/trace/mpi/correct.py has the same members in the same order. */
#ifndef POMP_REPLAY_ORDERED_H
#define POMP_REPLAY_ORDERED_H

#include "columns.h"

/* The moments of each process follow each other, in time order.  A meeting has sources and sinks;
 * each sink has to come after all sources.  A shift may be as long as the time spans of all
 * processes together, which has to be below 2^62. */
struct pomp_ordering {
  uint64_t processes;
  const uint64_t *first; /* of each process, and one more */
  const int64_t *time;
  const uint32_t *meeting;
  const uint8_t *is_sink;
  uint64_t meetings;
  int64_t *sources;  /* of each meeting: how many; are used up */
  int64_t *latest;   /* of each meeting, used */
  int64_t *earliest; /* the same */
  int64_t latency;   /* ns from a source to a sink, at least */
  int64_t *shift;    /* the shift of each moment */
  uint64_t forced;   /* sinks that came before sources which come after them */
};

/* The room that it takes beside is 32 bytes a process and 8 a meeting; POMP_REPLAY_ROOM where
 * there is none. */
POMP_REPLAY_EXPORT int pomp_order(struct pomp_ordering *run);

#endif
