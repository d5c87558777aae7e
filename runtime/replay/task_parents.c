/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "task_parents.h"

#include <stdlib.h>

enum { NONE = -1 };

/* The creations of one construct on one location that no task has taken. */
struct open_creations {
  int64_t oldest, newest;
};

struct neighbors {
  int64_t before, behind;
};

static void append(struct open_creations *open, struct neighbors *rows, int64_t row) {
  rows[row] = (struct neighbors){open->newest, NONE};
  if (open->newest == NONE)
    open->oldest = row;
  else
    rows[open->newest].behind = row;
  open->newest = row;
}

static int64_t take_newest(struct open_creations *open, const struct neighbors *rows) {
  int64_t row = open->newest;
  if (row == NONE)
    return NONE;
  open->newest = rows[row].before;
  if (open->newest == NONE)
    open->oldest = NONE;
  return row;
}

/* Entries behind the newest one were taken. */
static int64_t take_oldest(struct open_creations *open, struct neighbors *rows) {
  int64_t row = open->oldest;
  if (row == NONE)
    return NONE;
  if (row == open->newest)
    *open = (struct open_creations){NONE, NONE};
  else {
    open->oldest = rows[row].behind;
    rows[open->oldest].before = NONE;
  }
  return row;
}

static int64_t taken(const struct pomp_parenting *run, struct open_creations *of_construct,
                     struct neighbors *rows, int32_t location) {
  int64_t row = take_newest(&of_construct[location], rows);
  for (uint64_t other = 0; row == NONE && other < run->locations; other++)
    row = take_oldest(&of_construct[other], rows);
  return row;
}

int pomp_find_parents(const struct pomp_parenting *run) {
  uint64_t lists = run->constructs * run->locations;
  struct open_creations *open = malloc((lists + 1) * sizeof *open);
  struct neighbors *rows = malloc((run->moments + 1) * sizeof *rows);
  if (open && rows) {
    for (uint64_t i = 0; i < lists; i++)
      open[i] = (struct open_creations){NONE, NONE};
    for (uint64_t i = 0; i < run->moments; i++) {
      struct open_creations *of_construct = open + (uint64_t)run->construct[i] * run->locations;
      if (run->is_begin[i])
        run->creation[i] = taken(run, of_construct, rows, run->location[i]);
      else
        append(&of_construct[run->location[i]], rows, (int64_t)i);
    }
  }
  int error = open && rows ? POMP_REPLAY_FINE : POMP_REPLAY_ROOM;
  free(open);
  free(rows);
  return error;
}

void pomp_sum_tasks(uint64_t count, const int64_t *tasks, const int32_t *parent, const double *work,
                    double *inclusive) {
  for (uint64_t i = 0; i < count; i++) {
    int64_t task = tasks[i];
    inclusive[task] += work[task];
    inclusive[parent[task]] += inclusive[task];
  }
}
