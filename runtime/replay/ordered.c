/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ordered.h"

#include <stdbool.h>
#include <stdlib.h>

/* A shift decreases by a hundredth of the time that passes, and builds up by a tenth of it.
 * Distances between moments change by no more. */
enum { BACK = 100, FORTH = 10 };

enum { NOBODY = -1 };

/* Processes that can go on are in a row; one that cannot is with the meeting that it waits for. */
struct work {
  struct pomp_ordering *run;
  uint64_t *at;
  int64_t *next;
  int64_t *waiting; /* by meeting: the first process */
  int64_t ready;
};

static void put(struct work *w, int64_t *list, int64_t process) {
  w->next[process] = *list;
  *list = process;
}

static void wake(struct work *w, uint32_t meeting) {
  int64_t process = w->waiting[meeting];
  w->waiting[meeting] = NOBODY;
  while (process != NOBODY) {
    int64_t next = w->next[process];
    put(w, &w->ready, process);
    process = next;
  }
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* Returns the rest of the shift of the moment before. */
static int64_t inherited(const struct pomp_ordering *run, uint64_t first, uint64_t at) {
  if (at == first)
    return 0;
  return larger(0, run->shift[at - 1] - (run->time[at] - run->time[at - 1]) / BACK);
}

static void settle(struct work *w, uint64_t first, uint64_t at) {
  struct pomp_ordering *run = w->run;
  uint32_t meeting = run->meeting[at];
  int64_t shift = inherited(run, first, at), time = run->time[at];
  if (run->is_sink[at] && run->latest[meeting] != INT64_MIN)
    shift = larger(shift, run->latest[meeting] + run->latency - time);
  run->shift[at] = shift;
  if (run->is_sink[at])
    return;
  run->latest[meeting] = larger(run->latest[meeting], time + shift);
  if (--run->sources[meeting] == 0)
    wake(w, meeting);
}

static void go_on(struct work *w, int64_t process) {
  struct pomp_ordering *run = w->run;
  uint64_t first = run->first[process], end = run->first[process + 1];
  for (; w->at[process] < end; w->at[process]++) {
    uint64_t at = w->at[process];
    if (run->is_sink[at] && run->sources[run->meeting[at]] > 0) {
      put(w, &w->waiting[run->meeting[at]], process);
      return;
    }
    settle(w, first, at);
  }
}

/* No process can go on: the presumed causes and effects form a circle.  The earliest moment goes
 * on. */
static bool force(struct work *w) {
  struct pomp_ordering *run = w->run;
  int64_t process = NOBODY;
  for (uint64_t p = 0; p < run->processes; p++)
    if (w->at[p] < run->first[p + 1] &&
        (process == NOBODY || run->time[w->at[p]] < run->time[w->at[process]]))
      process = (int64_t)p;
  if (process == NOBODY)
    return false;
  uint32_t meeting = run->meeting[w->at[process]];
  run->sources[meeting] = 0;
  run->forced++;
  wake(w, meeting);
  return true;
}

static void forwards(struct work *w) {
  do {
    while (w->ready != NOBODY) {
      int64_t process = w->ready;
      w->ready = w->next[process];
      go_on(w, process);
    }
  } while (force(w));
}

/* Moments before a jump are shifted towards it, but not beyond the moments that depend on them. */
static void backwards(const struct pomp_ordering *run, uint64_t first, uint64_t end) {
  for (uint64_t at = end; at-- > first + 1;) {
    uint64_t before = at - 1;
    int64_t wanted = run->shift[at] - (run->time[at] - run->time[before]) / FORTH;
    int64_t earliest = run->earliest[run->meeting[before]];
    if (!run->is_sink[before] && earliest != INT64_MAX)
      wanted = smaller(wanted, earliest - run->latency - run->time[before]);
    run->shift[before] = larger(run->shift[before], wanted);
  }
}

static void note_sinks(const struct pomp_ordering *run, uint64_t moments) {
  for (uint64_t m = 0; m < run->meetings; m++)
    run->earliest[m] = INT64_MAX;
  for (uint64_t i = 0; i < moments; i++)
    if (run->is_sink[i])
      run->earliest[run->meeting[i]] =
          smaller(run->earliest[run->meeting[i]], run->time[i] + run->shift[i]);
}

static bool make(struct work *w) {
  const struct pomp_ordering *run = w->run;
  w->at = malloc((run->processes + 1) * sizeof *w->at);
  w->next = malloc((run->processes + 1) * sizeof *w->next);
  w->waiting = malloc((run->meetings + 1) * sizeof *w->waiting);
  if (!w->at || !w->next || !w->waiting)
    return false;
  for (uint64_t m = 0; m < run->meetings; m++) {
    w->waiting[m] = NOBODY;
    run->latest[m] = INT64_MIN;
  }
  for (uint64_t p = run->processes; p-- > 0;) {
    w->at[p] = run->first[p];
    put(w, &w->ready, (int64_t)p);
  }
  return true;
}

int pomp_order(struct pomp_ordering *run) {
  struct work w = {.run = run, .ready = NOBODY};
  bool made = make(&w);
  run->forced = 0;
  if (made) {
    forwards(&w);
    note_sinks(run, run->first[run->processes]);
    for (uint64_t p = 0; p < run->processes; p++)
      backwards(run, run->first[p], run->first[p + 1]);
  }
  free(w.at);
  free(w.next);
  free(w.waiting);
  return made ? POMP_REPLAY_FINE : POMP_REPLAY_ROOM;
}
