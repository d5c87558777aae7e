/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "rework.h"

#include "retime.h"

#include <stdbool.h>

/* How much of the time lies in pieces, from `*piece` on: those before are over. */
static int64_t within(const struct pomp_sparing *run, uint64_t *piece, int64_t since,
                      int64_t until) {
  int64_t sum = 0;
  while (*piece < run->pieces && run->end[*piece] <= since)
    (*piece)++;
  for (uint64_t at = *piece; at < run->pieces && run->begin[at] < until; at++) {
    int64_t from = run->begin[at] > since ? run->begin[at] : since;
    int64_t to = run->end[at] < until ? run->end[at] : until;
    sum += to > from ? to - from : 0;
  }
  return sum;
}

double pomp_spare(const struct pomp_sparing *run) {
  int64_t since = run->start;
  uint64_t piece = 0;
  for (uint64_t point = 0; point < run->points; point++) {
    double *work = &run->work[point];
    if (*work > 0) {
      *work -= run->part * (double)within(run, &piece, since, since + (int64_t)*work);
      *work = *work > 0 ? *work : 0;
    }
    since = run->after[point];
  }
  return run->part * (double)within(run, &piece, since, INT64_MAX);
}

static int64_t end_of(const struct pomp_intervals *of, uint64_t row) {
  return row + 1 < of->count ? of->begin[row + 1] : of->end;
}

static unsigned group_of(const struct pomp_sparing_doing *run, uint64_t row) {
  return run->is_here[run->of.path[row]] ? run->group[run->of.doing[row]] : 0;
}

/* As `within`, of the intervals of each group. */
static void add_ticks(const struct pomp_sparing_doing *run, uint64_t *row, int64_t since,
                      int64_t until) {
  const struct pomp_intervals *of = &run->of;
  for (uint64_t group = 0; group < run->groups; group++)
    run->ticks[group] = 0;
  while (*row < of->count && end_of(of, *row) <= since)
    (*row)++;
  for (uint64_t at = *row; at < of->count && of->begin[at] < until; at++) {
    unsigned group = group_of(run, at);
    if (!group)
      continue;
    int64_t from = of->begin[at] > since ? of->begin[at] : since;
    int64_t to = end_of(of, at) < until ? end_of(of, at) : until;
    run->ticks[group - 1] += to > from ? to - from : 0;
  }
}

static double spared(const struct pomp_sparing_doing *run, uint64_t group, double work) {
  double left = work - run->parts[group] * (double)run->ticks[group];
  return left > 0 ? left : 0;
}

static double together(const struct pomp_sparing_doing *run, double work) {
  double sum = work;
  if (run->groups == 1)
    return spared(run, 0, work);
  for (uint64_t group = 0; group < run->groups; group++)
    sum += spared(run, group, work) - work;
  return sum > 0 ? sum : 0;
}

static bool is_over_in_one(const struct pomp_sparing_doing *run, uint64_t row, int64_t time) {
  const struct pomp_intervals *of = &run->of;
  while (row < of->count && end_of(of, row) < time)
    row++;
  return row < of->count && of->begin[row] < time && group_of(run, row);
}

static void spare_in_any_order(const struct pomp_sparing_doing *run) {
  int64_t since = run->start;
  uint64_t row = 0;
  for (uint64_t point = 0; point < run->points; point++) {
    double *work = &run->work[point];
    if (*work > 0) {
      add_ticks(run, &row, since, since + (int64_t)*work);
      *work = together(run, *work);
    }
    since = run->after[point];
    if (run->kind[point] == POMP_POINT_WAITED && is_over_in_one(run, row, since))
      run->is_free[point] = 1;
  }
  add_ticks(run, &row, since, INT64_MAX);
  for (uint64_t group = 0; group < run->groups; group++)
    run->tails[group] = run->parts[group] * (double)run->ticks[group];
}

/* The point before which a location works, and whether some of that work lies in an interval. */
struct working {
  uint64_t point;
  int64_t since;
  bool is_any;
};

static void clear_ticks(const struct pomp_sparing_doing *run) {
  for (uint64_t group = 0; group < run->groups; group++)
    run->ticks[group] = 0;
}

static void go_on(const struct pomp_sparing_doing *run, struct working *at) {
  if (at->is_any) {
    run->work[at->point] = together(run, run->work[at->point]);
    clear_ticks(run);
    at->is_any = false;
  }
  at->since = run->after[at->point++];
}

static void spare_interval(const struct pomp_sparing_doing *run, struct working *at, uint64_t row,
                           unsigned group) {
  int64_t begin = run->of.begin[row], end = end_of(&run->of, row);
  while (at->point < run->points && run->after[at->point] <= begin)
    go_on(run, at);
  for (;;) {
    bool is_tail = at->point == run->points;
    int64_t until = is_tail ? INT64_MAX : at->since + (int64_t)run->work[at->point];
    int64_t from = begin > at->since ? begin : at->since, to = end < until ? end : until;
    if (to > from) {
      run->ticks[group - 1] += to - from;
      at->is_any = true;
    }
    if (is_tail || run->after[at->point] > end)
      return;
    if (run->kind[at->point] == POMP_POINT_WAITED && begin < run->after[at->point])
      run->is_free[at->point] = 1;
    go_on(run, at);
  }
}

void pomp_spare_doing(const struct pomp_sparing_doing *run) {
  if (!run->is_in_order) {
    spare_in_any_order(run);
    return;
  }
  struct working at = {.since = run->start};
  clear_ticks(run);
  for (uint64_t row = 0; row < run->of.count; row++) {
    unsigned group = group_of(run, row);
    if (group)
      spare_interval(run, &at, row, group);
  }
  if (at.point < run->points && at.is_any)
    go_on(run, &at);
  bool is_tail = at.point == run->points;
  for (uint64_t group = 0; group < run->groups; group++)
    run->tails[group] = is_tail ? run->parts[group] * (double)run->ticks[group] : 0;
}

void pomp_scale_spans(const struct pomp_spans *spans, const double *factor,
                      const struct pomp_ticks *work, double *scaled) {
  for (uint64_t span = 0; span < spans->count; span++)
    for (int64_t row = spans->since[span] + 1; row <= spans->until[span]; row++)
      scaled[row] = pomp_ticks_at(work, (uint64_t)row) * factor[span];
}
