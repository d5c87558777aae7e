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

static bool counts(const struct pomp_sparing_doing *run, uint64_t row) {
  return run->wanted[run->of.doing[row]] && run->is_here[run->of.path[row]];
}

/* As `within`, of the intervals that count. */
static int64_t done_within(const struct pomp_sparing_doing *run, uint64_t *row, int64_t since,
                           int64_t until) {
  const struct pomp_intervals *of = &run->of;
  int64_t sum = 0;
  while (*row < of->count && end_of(of, *row) <= since)
    (*row)++;
  for (uint64_t at = *row; at < of->count && of->begin[at] < until; at++) {
    if (!counts(run, at))
      continue;
    int64_t from = of->begin[at] > since ? of->begin[at] : since;
    int64_t to = end_of(of, at) < until ? end_of(of, at) : until;
    sum += to > from ? to - from : 0;
  }
  return sum;
}

static bool is_over_in_one(const struct pomp_sparing_doing *run, uint64_t row, int64_t time) {
  const struct pomp_intervals *of = &run->of;
  while (row < of->count && end_of(of, row) < time)
    row++;
  return row < of->count && of->begin[row] < time && counts(run, row);
}

double pomp_spare_doing(const struct pomp_sparing_doing *run) {
  int64_t since = run->start;
  uint64_t row = 0;
  for (uint64_t point = 0; point < run->points; point++) {
    double *work = &run->work[point];
    if (*work > 0) {
      *work -= run->part * (double)done_within(run, &row, since, since + (int64_t)*work);
      *work = *work > 0 ? *work : 0;
    }
    since = run->after[point];
    if (run->kind[point] == POMP_POINT_WAITED && is_over_in_one(run, row, since))
      run->is_free[point] = 1;
  }
  return run->part * (double)done_within(run, &row, since, INT64_MAX);
}

void pomp_sum_spans(const struct pomp_spans *spans, const struct pomp_ticks *work, double *sums) {
  for (uint64_t span = 0; span < spans->count; span++)
    for (int64_t row = spans->since[span] + 1; row <= spans->until[span]; row++)
      sums[span] += pomp_ticks_at(work, (uint64_t)row);
}

void pomp_scale_spans(const struct pomp_spans *spans, const double *factor,
                      const struct pomp_ticks *work, double *scaled) {
  for (uint64_t span = 0; span < spans->count; span++)
    for (int64_t row = spans->since[span] + 1; row <= spans->until[span]; row++)
      scaled[row] = pomp_ticks_at(work, (uint64_t)row) * factor[span];
}
