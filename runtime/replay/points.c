/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "points.h"

#include "retime.h"

#include <stdbool.h>

static int64_t place_of(const struct pomp_point_rows *of, uint64_t row) {
  int64_t place = of->place ? of->place[row] : of->same_place;
  return 2 * place + (of->kind >= POMP_POINT_BEGIN);
}

static bool is_before(const struct pomp_point_rows *one, uint64_t row,
                      const struct pomp_point_rows *other, uint64_t other_row) {
  int64_t time = one->after[row], other_time = other->after[other_row];
  return time != other_time ? time < other_time : place_of(one, row) < place_of(other, other_row);
}

int pomp_points_are_sorted(const struct pomp_point_rows *rows) {
  for (uint64_t row = 1; row < rows->count; row++)
    if (is_before(rows, row, rows, row - 1))
      return false;
  return true;
}

static bool comes_first(const struct pomp_point_head *one, const struct pomp_point_head *other) {
  if (one->time != other->time)
    return one->time < other->time;
  return one->place != other->place ? one->place < other->place : one->kind < other->kind;
}

/* Moves the first head to its place: the others are in order. */
static void sort_in(struct pomp_point_head *heads, uint64_t count) {
  struct pomp_point_head moved = heads[0];
  uint64_t place = 0;
  for (; place + 1 < count && comes_first(&heads[place + 1], &moved); place++)
    heads[place] = heads[place + 1];
  heads[place] = moved;
}

static uint64_t row_at(const struct pomp_point_rows *of, uint64_t number) {
  return of->order ? (uint64_t)of->order[number] : number;
}

static struct pomp_point_head head_of(const struct pomp_merging *run, uint64_t kind,
                                      uint64_t number) {
  const struct pomp_point_rows *of = &run->rows[kind];
  uint64_t row = row_at(of, number);
  return (struct pomp_point_head){of->after[row], place_of(of, row), kind, number};
}

/* False if the value is no whole one, or too large. */
static bool set(double *real, uint32_t *whole, uint64_t at, double value) {
  if (real) {
    real[at] = value;
    return true;
  }
  if (!(value >= 0 && value <= UINT32_MAX))
    return false;
  whole[at] = (uint32_t)value;
  return whole[at] == value;
}

static int write(const struct pomp_merging *run, uint64_t at, const struct pomp_point_rows *of,
                 uint64_t row) {
  int64_t after = of->after[row], before = of->before ? of->before[row] : after;
  int64_t ticks = before - (at ? run->after[at - 1] : run->start);
  bool is_led_to = of->kind != POMP_POINT_BEGIN && of->kind != POMP_POINT_PASS;
  double work = is_led_to && ticks > 0 ? (double)ticks : 0, lag = of->lag ? of->lag[row] : 0;
  run->kind[at] = (uint8_t)of->kind;
  run->object[at] = of->object[row];
  run->path[at] = of->path[row];
  run->after[at] = after;
  return (set(run->work, run->whole_work, at, work) ? 0 : POMP_WORK_IS_REAL) |
         (set(run->lag, run->whole_lag, at, lag) ? 0 : POMP_LAG_IS_REAL);
}

int pomp_merge_points(const struct pomp_merging *run) {
  struct pomp_point_head *heads = run->heads + run->kinds;
  uint64_t count = 0;
  int wrong = 0;
  for (uint64_t kind = run->kinds; kind-- > 0;)
    if (run->rows[kind].count) {
      *--heads = head_of(run, kind, 0);
      sort_in(heads, ++count);
    }
  for (uint64_t at = 0; count > 0; at++) {
    const struct pomp_point_rows *of = &run->rows[heads->kind];
    wrong |= write(run, at, of, row_at(of, heads->number));
    if (heads->number + 1 < of->count)
      heads[0] = head_of(run, heads->kind, heads->number + 1);
    else {
      heads++;
      count--;
      continue;
    }
    sort_in(heads, count);
  }
  return wrong;
}
