/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "columns.h"

#include "trace/trace_format.h"

#include <stdbool.h>

static int refuse(struct pomp_decoding *to, enum pomp_replay_error error, uint64_t wrong) {
  to->wrong = wrong;
  return error;
}

/* Takes the values that stand right behind a word; returns the place after them. */
static uint64_t take_values(struct pomp_decoding *to, const uint64_t *words, uint64_t at,
                            uint64_t count, bool swap) {
  for (; at < count && to->values.count < to->values.room; at++) {
    uint64_t word = swap ? __builtin_bswap64(words[at]) : words[at];
    if ((word & 0xff) != POMP_TRACE_VALUE)
      break;
    to->value_row[to->values.count] = (int64_t)to->events.count;
    to->value[to->values.count++] = (int64_t)(word >> 8);
  }
  return at;
}

static inline __attribute__((always_inline)) int
decode(struct pomp_decoding *to, const uint64_t *words, uint64_t count, uint64_t base, bool swap) {
  for (uint64_t at = 0; at < count;) {
    uint64_t word = swap ? __builtin_bswap64(words[at]) : words[at];
    if (!word)
      break;
    if (to->events.count >= to->events.room)
      return refuse(to, POMP_REPLAY_ROOM, to->events.count);
    unsigned op = word & 0xff, path = word >> 8 & 0xffff, needs = to->fewest[op];
    if (!needs)
      return refuse(to, op == POMP_TRACE_VALUE ? POMP_REPLAY_NO_EVENT : POMP_REPLAY_OP, op);
    if (!to->is_path[path])
      return refuse(to, POMP_REPLAY_PATH, path);
    uint64_t row = to->events.count;
    to->time[row] = (int64_t)(base + (word >> 24));
    to->op[row] = (uint8_t)op;
    to->path[row] = (uint16_t)path;
    uint64_t end = take_values(to, words, at + 1, count, swap);
    if (end - at < needs)
      return refuse(to, POMP_REPLAY_NO_VALUE, row);
    at = end;
    to->events.count++;
  }
  return POMP_REPLAY_FINE;
}

/* Several rows, as one operation often follows itself. */
enum { ROWS = 4 };

static inline __attribute__((always_inline)) void
count_ops(const uint64_t *words, uint64_t count, unsigned shift, uint64_t rows[ROWS][256]) {
  uint64_t at = 0;
  for (; at + ROWS <= count && words[at] && words[at + 1] && words[at + 2] && words[at + 3];
       at += ROWS)
    for (unsigned row = 0; row < ROWS; row++)
      rows[row][words[at + row] >> shift & 0xff]++;
  for (; at < count && words[at]; at++)
    rows[0][words[at] >> shift & 0xff]++;
}

void pomp_decode_count(const uint64_t *words, uint64_t count, int swap, uint64_t *counts) {
  uint64_t rows[ROWS][256] = {{0}};
  if (swap)
    count_ops(words, count, 56, rows);
  else
    count_ops(words, count, 0, rows);
  for (unsigned op = 0; op < 256; op++)
    counts[op] += rows[0][op] + rows[1][op] + rows[2][op] + rows[3][op];
}

int pomp_decode(struct pomp_decoding *to, const uint64_t *words, uint64_t count, uint64_t base,
                int swap) {
  return swap ? decode(to, words, count, base, true) : decode(to, words, count, base, false);
}
