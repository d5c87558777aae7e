/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Statistics of instances: pomp_clang/causes/cube/instance_statistics_compute.py. */
#ifndef POMP_REPLAY_TALLY_H
#define POMP_REPLAY_TALLY_H

#include "columns.h"

enum { POMP_WORST = 3 };

/* Instances at call paths.  The bucket of an instance is the highest bits of its severity. */
struct pomp_instances {
  uint64_t count;
  const int32_t *path;
  const double *severity;
};

/* Finds the lowest and the highest bucket, and the highest call path. */
POMP_REPLAY_EXPORT void pomp_instance_range(const struct pomp_instances *of, int64_t range[3]);

/* Counts the instances, and sums them up, by call path and bucket: there are `width` buckets from
 * `low` on. */
POMP_REPLAY_EXPORT void pomp_fill_buckets(const struct pomp_instances *of, int64_t low,
                                          int64_t width, int64_t *counts, double *sums);

/* Instances whose `cell` is a call path and a thread.  Results, by cell: the sum of severities, the
 * number, the first begin and the last end. */
struct pomp_cells {
  uint64_t count;
  const int64_t *cell;
  const int64_t *begin;
  const int64_t *end;
  const double *severity;
  double *sum;
  int64_t *number;
  int64_t *since;
  int64_t *until;
};

POMP_REPLAY_EXPORT void pomp_add_to_cells(const struct pomp_cells *run);

/* The groups of the same instances, one for each call path; `group` has its row.  `lowest` is the
 * group's lowest bucket, and `floor` the highest from which on there are enough of the worst.
 * Results: `squares` of the deviations from `mean`, the `least`, and the rows of the `worst`
 * instances, -1 if there are fewer; of equal ones, the first. */
struct pomp_grouping {
  struct pomp_instances of;
  const int32_t *group;
  const double *mean;
  const int32_t *lowest;
  const int32_t *floor;
  double *squares;
  double *least;
  int64_t *worst;
};

POMP_REPLAY_EXPORT void pomp_tally_groups(const struct pomp_grouping *run);

#endif
