/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "rework.h"

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

void pomp_sum_spans(const struct pomp_spans *spans, const double *work, double *sums) {
  for (uint64_t span = 0; span < spans->count; span++)
    for (int64_t row = spans->since[span] + 1; row <= spans->until[span]; row++)
      sums[span] += work[row];
}

void pomp_scale_spans(const struct pomp_spans *spans, const double *factor, const double *work,
                      double *scaled) {
  for (uint64_t span = 0; span < spans->count; span++)
    for (int64_t row = spans->since[span] + 1; row <= spans->until[span]; row++)
      scaled[row] = work[row] * factor[span];
}
