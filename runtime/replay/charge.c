/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "charge.h"

#include <stdbool.h>

/* The intervals of a segment, which ends at `until`. */
struct walk {
  const int64_t *begin;
  const uint16_t *path;
  const uint8_t *doing;
  uint64_t row, count;
  int64_t until, end;
};

/* The first of the intervals that begins at a moment or later.  It is mostly close behind `near`.
 */
static uint64_t from_on(const int64_t *begin, uint64_t count, int64_t moment, uint64_t near) {
  uint64_t low = 0, high = near;
  if (near < count && begin[near] < moment) {
    low = high = near + 1;
    for (uint64_t step = 1; high < count && begin[high] < moment; step *= 2) {
      low = high + 1;
      high = step < count - high ? high + step : count;
    }
  }
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (begin[middle] < moment)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static struct walk walk_of(const struct pomp_charging *run, int32_t segment) {
  int32_t location = run->of[segment];
  uint64_t row = (uint64_t)segment - run->base[location], count = run->intervals[location];
  struct walk at = {.begin = run->begin[location], .path = run->path[location]};
  at.doing = run->doing[location];
  at.row = from_on(at.begin, count, run->since[location][row], run->near[location]);
  run->near[location] = at.row;
  at.count = count;
  at.until = run->until[location][row];
  at.end = run->end[location];
  return at;
}

static bool is_there(const struct walk *at) {
  return at->row < at->count && at->begin[at->row] < at->until;
}

/* A member that has left its region arrives in the barrier at its end with an interval. */
static int64_t end_of(const struct walk *at) {
  int64_t end = at->row + 1 < at->count ? at->begin[at->row + 1] : at->end;
  return end < at->until ? end : at->until;
}

static int64_t ticks_of(const struct walk *at) {
  int64_t ticks = end_of(at) - at->begin[at->row];
  return ticks > 0 ? ticks : 0;
}

static uint64_t column_of(const struct pomp_charging *run, const struct walk *at) {
  bool is_wait = run->waits[at->doing[at->row]];
  return is_wait ? run->width - 1 : (uint64_t)run->column[at->path[at->row]];
}

static bool is_of_last(const struct pomp_charging *run, uint64_t barrier, int32_t segment) {
  return run->of[segment] == run->last[barrier];
}

/* Adds up the work of the thread that arrived last: its columns, and its ticks in each. */
static uint64_t add_own(struct pomp_charging *run, uint64_t barrier) {
  uint64_t met = 0;
  for (int32_t segment = run->first[barrier]; segment >= 0; segment = run->next[segment]) {
    if (!is_of_last(run, barrier, segment))
      continue;
    int32_t location = run->of[segment];
    run->where[barrier] =
        (int32_t)run->column[run->came_at[location][(uint64_t)segment - run->base[location]]];
    for (struct walk at = walk_of(run, segment); is_there(&at); at.row++) {
      uint64_t column = column_of(run, &at);
      struct pomp_work_done *done = &run->work[column];
      if (!done->is_met) {
        *done = (struct pomp_work_done){.since = at.begin[at.row], .is_met = true};
        run->met[met++] = column;
      }
      done->own += ticks_of(&at);
      done->until = end_of(&at);
    }
  }
  return met;
}

/* Adds up the work of the others.  Returns their mean ticks of arrival before the last one. */
static double add_others(struct pomp_charging *run, uint64_t barrier, int64_t *others) {
  double early = 0;
  for (int32_t segment = run->first[barrier]; segment >= 0; segment = run->next[segment]) {
    if (is_of_last(run, barrier, segment))
      continue;
    struct walk at = walk_of(run, segment);
    early += (double)(run->last_came[barrier] - at.until);
    *others += 1;
    for (; is_there(&at); at.row++) {
      struct pomp_work_done *done = &run->work[column_of(run, &at)];
      if (done->is_met)
        done->others += ticks_of(&at);
    }
  }
  return *others ? early / (double)*others : 0;
}

/* By how much who came last did more at a column than the others on average. */
static double excess_of(const struct pomp_work_done *done, int64_t others) {
  double more = (double)done->own - (others ? (double)done->others / (double)others : 0);
  return more > 0 ? more : 0;
}

/* The rounding error of a sum of parts, as a share of the wait. */
static const double relative_noise = 1e-12;

static void charge(struct pomp_charging *run, uint64_t barrier) {
  uint64_t met = add_own(run, barrier);
  int64_t others = 0;
  double early = add_others(run, barrier, &others), excess = 0, sum = 0;
  for (uint64_t i = 0; i < met; i++)
    excess += excess_of(&run->work[run->met[i]], others);
  excess = excess > early ? excess : early;
  double part = run->waited[barrier] / (excess > 1 ? excess : 1);
  for (uint64_t i = 0; i < met; i++) {
    uint64_t column = run->met[i];
    struct pomp_work_done *done = &run->work[column];
    double ticks = excess_of(done, others) * part;
    if (column == run->width - 1)
      run->waiting[barrier] = ticks;
    else if (ticks > 0) {
      uint64_t row = run->rows.count++;
      run->row_barrier[row] = (int64_t)barrier;
      run->row_column[row] = (int64_t)column;
      run->row_ticks[row] = ticks;
      run->row_since[row] = done->since;
      run->row_until[row] = done->until;
      sum += ticks;
    }
    done->is_met = false;
  }
  double rest = run->waited[barrier] - (run->waiting[barrier] + sum);
  run->rest[barrier] = rest > relative_noise * run->waited[barrier] ? rest : 0;
}

void pomp_charge_link(struct pomp_charging *run) {
  for (uint64_t barrier = 0; barrier < run->barriers; barrier++)
    run->first[barrier] = -1;
  for (uint64_t location = run->locations; location-- > 0;)
    for (uint64_t segment = run->base[location + 1]; segment-- > run->base[location];) {
      int32_t *first = &run->first[run->barrier[location][segment - run->base[location]]];
      run->of[segment] = (int32_t)location;
      run->next[segment] = *first;
      *first = (int32_t)segment;
    }
}

uint64_t pomp_charge(struct pomp_charging *run, uint64_t barrier) {
  run->rows.count = 0;
  for (; barrier < run->barriers && run->rows.count + run->width <= run->rows.room; barrier++)
    if (run->waited[barrier] > 0)
      charge(run, barrier);
  return barrier;
}

static double *cell_of(const struct pomp_booking *run, uint64_t barrier, uint64_t column) {
  return &run->cells[column * run->threads + (uint64_t)run->thread[run->of->last[barrier]]];
}

void pomp_book_charges(const struct pomp_booking *run) {
  struct pomp_charging *of = run->of;
  for (uint64_t barrier = 0, end; barrier < of->barriers; barrier = end) {
    end = pomp_charge(of, barrier);
    for (uint64_t row = 0; row < of->rows.count; row++)
      *cell_of(run, (uint64_t)of->row_barrier[row], (uint64_t)of->row_column[row]) +=
          of->row_ticks[row];
    for (; barrier < end; barrier++)
      if (of->rest[barrier] != 0)
        *cell_of(run, barrier, (uint64_t)of->where[barrier]) += of->rest[barrier];
  }
}
