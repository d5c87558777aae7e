/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "intervals.h"

static inline int64_t end_of(const struct pomp_intervals *of, uint64_t row) {
  int64_t begin = of->begin[row], end = row + 1 < of->count ? of->begin[row + 1] : of->end;
  return end > begin ? end : begin;
}

void pomp_find_ends(const struct pomp_ending *run) {
  for (uint64_t i = 0; i < run->rows; i++) {
    uint64_t next = (uint64_t)((run->narrow ? run->narrow[i] : run->wide[i]) + 1);
    run->ends[i] = next < run->count ? run->begin[next] : run->end;
  }
}

void pomp_overlap(const struct pomp_overlapping *run) {
  const struct pomp_intervals *of = &run->of;
  uint64_t piece = 0;
  for (uint64_t row = 0; row < of->count && piece < run->pieces; row++) {
    int64_t begin = of->begin[row], end = end_of(of, row), sum = 0;
    while (piece < run->pieces && run->piece_end[piece] <= begin)
      piece++;
    for (uint64_t at = piece; at < run->pieces && run->piece_begin[at] < end; at++) {
      int64_t from = run->piece_begin[at] > begin ? run->piece_begin[at] : begin;
      int64_t to = run->piece_end[at] < end ? run->piece_end[at] : end;
      sum += to > from ? to - from : 0;
    }
    if (run->counts[of->doing[row]])
      run->ticks[of->path[row]] += sum;
  }
}

void pomp_work(const struct pomp_working *run) {
  const struct pomp_intervals *of = &run->of;
  for (uint64_t segment = 0; segment < run->segments; segment++) {
    double *table = run->table + (uint64_t)run->row[segment] * run->width;
    uint64_t last = (uint64_t)run->last[segment];
    for (uint64_t row = (uint64_t)run->first[segment]; row < last; row++) {
      uint64_t column = (uint64_t)run->column[of->path[row]];
      if (run->waits[of->doing[row]])
        column = run->width - 1;
      table[column] += (double)(end_of(of, row) - of->begin[row]);
    }
  }
}

uint64_t pomp_follow(const int64_t *next, uint64_t room, int64_t at, int64_t *rows) {
  uint64_t count = 0;
  for (; at >= 0 && count < room; at = next[at])
    rows[count++] = at;
  return count;
}

static void select_part(struct pomp_selecting *run, uint64_t until) {
  const struct pomp_intervals *of = &run->of;
  const int64_t *begin = of->begin;
  uint64_t selected = run->selected;
  for (uint64_t row = run->row; row < until; row++) {
    if (!run->wanted[of->doing[row]])
      continue;
    int64_t end = row + 1 < of->count ? begin[row + 1] : of->end, ticks = end - begin[row];
    int64_t place = run->place[of->path[row]];
    double severity = (double)ticks / run->second * run->share[place];
    run->selected_begin[selected] = begin[row];
    run->selected_end[selected] = end;
    run->selected_place[selected] = (int32_t)place;
    run->severity[selected] = severity;
    selected += severity > 0;
  }
  run->selected = selected;
}

void pomp_select(struct pomp_selecting *run) {
  uint64_t count = run->of.count;
  run->selected = 0;
  while (run->row < count && run->selected < run->least) {
    uint64_t until = run->part < count - run->row ? run->row + run->part : count;
    select_part(run, until);
    run->row = until;
  }
}
