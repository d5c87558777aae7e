/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tally.h"

#include <string.h>

enum { BUCKET_SHIFT = 48 };

static int64_t bucket_of(double severity) {
  int64_t bits;
  memcpy(&bits, &severity, sizeof bits);
  return bits >> BUCKET_SHIFT;
}

void pomp_instance_range(const struct pomp_instances *of, int64_t range[3]) {
  int64_t low = INT64_MAX, high = INT64_MIN;
  int32_t most = 0;
  for (uint64_t i = 0; i < of->count; i++) {
    int64_t bucket = bucket_of(of->severity[i]);
    low = bucket < low ? bucket : low;
    high = bucket > high ? bucket : high;
    most = of->path[i] > most ? of->path[i] : most;
  }
  range[0] = low;
  range[1] = high;
  range[2] = most;
}

void pomp_fill_buckets(const struct pomp_instances *of, int64_t low, int64_t width, int64_t *counts,
                       double *sums) {
  for (uint64_t i = 0; i < of->count; i++) {
    int64_t cell = of->path[i] * width + bucket_of(of->severity[i]) - low;
    counts[cell]++;
    sums[cell] += of->severity[i];
  }
}

void pomp_add_to_cells(const struct pomp_cells *run) {
  for (uint64_t i = 0; i < run->count; i++) {
    int64_t cell = run->cell[i];
    run->sum[cell] += run->severity[i];
    run->number[cell]++;
    if (run->begin[i] < run->since[cell])
      run->since[cell] = run->begin[i];
    if (run->end[i] > run->until[cell])
      run->until[cell] = run->end[i];
  }
}

static void rank(const double *severity, int64_t row, int64_t *worst) {
  int place = POMP_WORST;
  while (place > 0 && (worst[place - 1] < 0 || severity[row] > severity[worst[place - 1]]))
    place--;
  if (place == POMP_WORST)
    return;
  memmove(worst + place + 1, worst + place, (size_t)(POMP_WORST - 1 - place) * sizeof *worst);
  worst[place] = row;
}

void pomp_tally_groups(const struct pomp_grouping *run) {
  const double *severity = run->of.severity;
  for (uint64_t i = 0; i < run->of.count; i++) {
    int32_t group = run->group[run->of.path[i]];
    double distance = severity[i] - run->mean[group];
    int64_t bucket = bucket_of(severity[i]);
    run->squares[group] += distance * distance;
    if (bucket == run->lowest[group] && severity[i] < run->least[group])
      run->least[group] = severity[i];
    if (bucket >= run->floor[group])
      rank(severity, (int64_t)i, run->worst + POMP_WORST * (int64_t)group);
  }
}
