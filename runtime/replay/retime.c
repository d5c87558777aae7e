/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "retime.h"

#include <stdbool.h>

static double later(double a, double b) { return a > b ? a : b; }

static bool is_before(const struct pomp_head *one, const struct pomp_head *other) {
  if (one->time != other->time)
    return one->time < other->time;
  if (one->rank != other->rank)
    return one->rank < other->rank;
  return one->location < other->location;
}

/* The least is the first of a heap, of which the one at `place` may be too far in front. */
static void sink(struct pomp_head *heads, uint64_t count, uint64_t place) {
  struct pomp_head sinking = heads[place];
  for (uint64_t below; (below = 2 * place + 1) < count; place = below) {
    if (below + 1 < count && is_before(&heads[below + 1], &heads[below]))
      below++;
    if (!is_before(&heads[below], &sinking))
      break;
    heads[place] = heads[below];
  }
  heads[place] = sinking;
}

static struct pomp_head head_of(const struct pomp_turns *run, uint64_t location, uint64_t depth) {
  int64_t row = run->next[location];
  uint64_t needs = run->kind[row] >= POMP_POINT_BEGIN;
  return (struct pomp_head){run->after[row], 2 * depth + needs, location};
}

void pomp_take_turns(const struct pomp_turns *run) {
  struct pomp_head *heads = run->heads;
  uint64_t count = 0;
  for (uint64_t location = 0; location < run->locations; location++) {
    run->next[location] = run->first[location];
    if (run->first[location] < run->first[location + 1])
      heads[count++] = head_of(run, location, 0);
  }
  for (uint64_t place = count / 2; place-- > 0;)
    sink(heads, count, place);
  for (uint32_t *turn = run->turn; count > 0; turn++) {
    struct pomp_head done = heads[0];
    *turn = (uint32_t)done.location;
    int64_t row = ++run->next[done.location];
    if (row == run->first[done.location + 1])
      heads[0] = heads[--count];
    else
      heads[0] = head_of(run, done.location, run->after[row] == done.time ? done.rank / 2 + 1 : 0);
    sink(heads, count, 0);
  }
}

/* When a location that comes to a point at `now` is done with it, which takes `lag`. */
static inline double done_with(const struct pomp_points *points, uint64_t row, double now,
                               double lag) {
  int32_t object = points->object[row];
  bool is_free = points->is_free[row];
  switch ((enum pomp_point)points->kind[row]) {
  case POMP_POINT_FORK:
  case POMP_POINT_RELEASE:
    points->given[object] = later(points->given[object], now);
    break;
  case POMP_POINT_ARRIVE:
  case POMP_POINT_DONE:
    if (!is_free)
      points->given[object] = later(points->given[object], now);
    break;
  case POMP_POINT_BEGIN:
    return points->given[object] + lag;
  case POMP_POINT_PASS:
    return later(is_free ? 0 : now, points->given[object] + lag);
  case POMP_POINT_WAITED:
    return is_free ? now : later(now, points->given[object] + lag);
  case POMP_POINT_GOT:
    return (object >= 0 && !is_free ? later(now, points->given[object]) : now) + lag;
  }
  return now;
}

/* A location keeps its turn for some points, so its moment and its row are at hand meanwhile. */
static inline void retime(const struct pomp_points *points, struct pomp_ticks work,
                          struct pomp_ticks lag) {
  for (uint64_t i = 0; i < points->count;) {
    uint32_t location = points->turn[i];
    uint64_t row = (uint64_t)points->next[location];
    double now = points->at[location];
    for (; i < points->count && points->turn[i] == location; i++, row++)
      now = done_with(points, row, now + pomp_ticks_at(&work, row), pomp_ticks_at(&lag, row));
    points->next[location] = (int64_t)row;
    points->at[location] = now;
  }
}

/* The compiler knows in each of the calls which columns there are. */
void pomp_retime(const struct pomp_points *points) {
  for (uint64_t location = 0; location < points->locations; location++)
    points->next[location] = points->first[location];
  struct pomp_ticks real_work = {.real = points->work.real}, real_lag = {.real = points->lag.real};
  struct pomp_ticks work = {.whole = points->work.whole}, lag = {.whole = points->lag.whole};
  if (real_work.real && real_lag.real)
    retime(points, real_work, real_lag);
  else if (real_work.real)
    retime(points, real_work, lag);
  else if (real_lag.real)
    retime(points, work, real_lag);
  else
    retime(points, work, lag);
}

void pomp_mark_points(uint64_t count, const uint8_t *kinds, unsigned kind, const uint16_t *path,
                      const uint8_t *is_here, uint8_t *marks) {
  for (uint64_t row = 0; row < count; row++)
    marks[row] = (kinds[row] == kind) & is_here[path[row]];
}

enum {
  SYNCHRONIZES = 1U << POMP_POINT_FORK | 1U << POMP_POINT_ARRIVE | 1U << POMP_POINT_BEGIN |
  1U << POMP_POINT_PASS
};

void pomp_alone_since(const struct pomp_arriving *run) {
  for (uint64_t team = 0; team < run->teams; team++)
    run->newest[team] = -1;
  uint64_t next = 0;
  for (uint64_t location = 0; location < run->locations; location++)
    for (int64_t row = run->first[location]; row < run->first[location + 1]; row++) {
      enum pomp_point kind = (enum pomp_point)run->kind[row];
      if (!(SYNCHRONIZES & 1U << kind))
        continue;
      uint64_t object = (uint64_t)run->object[row];
      int64_t *newest =
          &run->newest[object < run->teams ? object : (uint64_t)run->team[object - run->teams]];
      if (next < run->arrivals && run->arrival[next] == row)
        run->since[next++] = (int32_t)(*newest >= run->first[location] ? *newest : row - 1);
      if (kind != POMP_POINT_ARRIVE)
        *newest = row;
    }
}
