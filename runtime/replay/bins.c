/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bins.h"

#include <stdbool.h>
#include <stddef.h>

static uint64_t pair_of(const struct pomp_pairs *of, uint64_t row) {
  return (uint64_t)of->path[row] * of->activities + of->activity[row];
}

void pomp_mark_pairs(const struct pomp_pairs *of, uint8_t *marks) {
  for (uint64_t row = 0; row < of->count; row++)
    marks[pair_of(of, row)] = 1;
}

void pomp_number_pairs(const struct pomp_pairs *of, const uint32_t *number, uint32_t *state) {
  for (uint64_t row = 0; row < of->count; row++)
    state[row] = number[pair_of(of, row)];
}

static void add(struct pomp_bin_level *to, uint32_t state, uint64_t ticks) {
  if (!to->spent[state])
    to->met[to->met_count++] = state;
  to->spent[state] += ticks;
}

/* What the bin has moves on to the one around it, of the next coarser level. */
static void move_on(const struct pomp_binning *of, struct pomp_bin_level *from, bool is_finest,
                    struct pomp_bin_level *around) {
  for (uint64_t i = 0; i < from->met_count; i++) {
    uint32_t state = from->met[i];
    uint64_t spent = from->spent[state];
    from->spent[state] = 0;
    if (is_finest)
      of->ticks[from->bin * of->groups + of->group[state]] += spent;
    if (around)
      add(around, state, spent);
  }
  from->met_count = 0;
}

static void find_most(const struct pomp_binning *of, const struct pomp_bin_level *level) {
  uint32_t *most = level->most + 2 * level->bin;
  uint64_t best[2] = {0, 0};
  most[0] = most[1] = POMP_NO_STATE;
  for (uint64_t i = 0; i < level->met_count; i++) {
    uint32_t state = level->met[i];
    uint64_t spent = level->spent[state];
    unsigned side = of->side[state] & 1;
    if (spent > best[side] || (spent == best[side] && state < most[side])) {
      best[side] = spent;
      most[side] = state;
    }
  }
}

/* A bin of a coarser level is complete with the last one in it. */
static void finish(const struct pomp_binning *of, bool is_last) {
  for (uint64_t row = 0; row < of->levels; row++) {
    struct pomp_bin_level *level = &of->level[row];
    find_most(of, level);
    move_on(of, level, row == 0, row + 1 < of->levels ? level + 1 : NULL);
    level->bin++;
    if (level->bin % POMP_BIN_FACTOR && !is_last)
      return;
  }
}

static int64_t bin_end(const struct pomp_binning *of, uint64_t bin) {
  return of->start + (int64_t)(bin + 1) * of->width;
}

static void finish_until(const struct pomp_binning *of, uint64_t bin) {
  while (of->level->bin < bin)
    finish(of, of->level->bin + 1 == of->bins);
}

void pomp_bins(const struct pomp_binning *of) {
  int64_t stop = bin_end(of, of->bins - 1);
  for (uint64_t i = 0; i < of->count; i++) {
    uint32_t state = of->state[i];
    int64_t from = of->begin[i], until = i + 1 < of->count ? of->begin[i + 1] : of->end;
    if (from < of->start)
      from = of->start;
    if (until > stop)
      until = stop;
    if (state >= of->states || of->group[state] >= of->groups)
      continue;
    while (from < until) {
      uint64_t bin = (uint64_t)((from - of->start) / of->width);
      if (bin < of->level->bin)
        break;
      finish_until(of, bin);
      int64_t cut = bin_end(of, bin) < until ? bin_end(of, bin) : until;
      add(of->level, state, (uint64_t)(cut - from));
      from = cut;
    }
  }
  finish_until(of, of->bins);
}
