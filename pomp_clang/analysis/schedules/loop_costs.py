"""The costs of a loop, and the time that a team takes for it under a schedule.

The recorded parts of its threads give the cost along the iteration space. The cost of getting a chunk
from the OpenMP runtime is measured on this machine. Chunks are handed out as OpenMP does.

Threads start together. Iterations cost what they cost in the recorded run, whichever thread has
them.

A small program of the same OpenMP runtime hands out empty chunks. All processors together, eight at
most, give the time in which no other thread gets one. A thread that gets them alone gives the time
that a chunk takes its thread, which is no less than the former.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import groupby

import numpy as np
import numpy.typing as npt

from pomp_clang.analysis.measured_cost import measured_costs
from pomp_clang.analysis.schedules.schedule import Schedule
from pomp_clang.experiment.model import Experiment, LoopIterations

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CostCurve:
    """The time that the first n iterations take on one thread, for n at some places.

    `ends` are numbers of iterations and `seconds` their time, both rising from 0. In between, all
    iterations cost the same.
    """

    ends: Floats
    seconds: Floats

    @property
    def iterations(self) -> int:
        return int(self.ends[-1])

    @property
    def total(self) -> float:
        return float(self.seconds[-1])

    def until(self, numbers: Floats) -> Floats:
        """Return the seconds of the first iterations, for each number of them."""
        return np.interp(numbers, self.ends, self.seconds)


@dataclass(frozen=True, slots=True)
class LoopExecution:
    """One recorded execution of a loop by a team.

    `busy` are the seconds of each thread's iterations without the cost of their events. `weight` is
    the number of executions that it stands for. `values`, `tids`, `counts` and `seconds` are the bins
    in the order of the iterations.
    """

    number: int
    weight: float
    curve: CostCurve
    busy: tuple[float, ...]
    values: Integers
    tids: Integers
    counts: Integers
    seconds: Floats

    @property
    def threads(self) -> int:
        return len(self.busy)


def executions(experiment: Experiment, region: str) -> list[LoopExecution]:
    """Return the recorded executions of a region's loop that all threads left and that have
    iterations."""
    event = experiment.costs.step if experiment.costs is not None else 0.0
    total = max(
        (sums.execC for (ident, _), sums in experiment.profile.items() if ident == region),
        default=0,
    )
    parts = [part for part in experiment.iterations if part.region == region]
    groups = [
        (number, _of_distinct_threads(group))
        for number, group in groupby(parts, key=lambda part: part.execution)
    ]
    complete = [(number, group) for number, group in groups if _is_whole(group)]
    ends = [*(number for number, _ in complete[1:]), total + 1][: len(complete)]
    return [
        _execution(number, max(1, end - number), group, event)
        for (number, group), end in zip(complete, ends, strict=True)
    ]


def _of_distinct_threads(parts: Iterable[LoopIterations]) -> list[LoopIterations]:
    """Return one part for each thread: the first, where another location carried on."""
    return list({part.tid: part for part in reversed(list(parts))}.values())


def _is_whole(parts: Sequence[LoopIterations]) -> bool:
    return all(part.end is not None for part in parts) and any(part.bins for part in parts)


def _execution(
    number: int, weight: int, parts: Sequence[LoopIterations], event: float
) -> LoopExecution:
    rows = sorted(
        (value, part.tid, count, spent) for part in parts for value, count, spent in part.bins
    )
    descends = sum(len(part.bins) for part in parts if part.descends)
    if 2 * descends > len(rows):
        rows.reverse()
    values = np.array([row[0] for row in rows], np.int64)
    tids = np.array([row[1] for row in rows], np.int64)
    counts = np.array([row[2] for row in rows], np.int64)
    seconds = _net(np.array([row[3] for row in rows]), counts, event)
    busy = tuple(_busy(parts, event))
    curve = curve_of(counts, seconds)
    return LoopExecution(number, weight, curve, busy, values, tids, counts, seconds)


def _net(seconds: Floats, counts: Integers, event: float) -> Floats:
    """Return the seconds without the events of the iterations."""
    return np.maximum(seconds - counts * event, 0.0)


def _busy(parts: Iterable[LoopIterations], event: float) -> Iterator[float]:
    for part in sorted(parts, key=lambda part: part.tid):
        yield sum(max(0.0, spent - count * event) for _, count, spent in part.bins)


def curve_of(counts: npt.ArrayLike, seconds: npt.ArrayLike) -> CostCurve:
    """Return the curve of bins in the order of the iterations."""
    return CostCurve(
        np.concatenate([[0.0], np.cumsum(counts, dtype=np.float64)]),
        np.concatenate([[0.0], np.cumsum(seconds, dtype=np.float64)]),
    )


_SOURCE = rb"""
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) {
  return (*(double *)a > *(double *)b) - (*(double *)a < *(double *)b);
}
/* The lower quartile: chunks are too cheap where the threads do not run at once, and too dear where
 * they are interrupted. */
static double of_all(int threads, int number) {
  double times[15];
  for (int turn = 0; turn < 15; turn++) {
    double begin = omp_get_wtime();
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int i = 0; i < number; i++)
      __asm__ volatile("" : : "r"(i) : "memory");
    times[turn] = (omp_get_wtime() - begin) / number;
  }
  qsort(times, 15, sizeof *times, compare);
  return times[3];
}
/* Of two threads the second keeps its first chunk until the first has had all others. */
static double of_one(int number) {
  double best = 1;
  for (int turn = 0; turn < 9; turn++) {
    int over = 0;
    double begin = 0, one = 1;
#pragma omp parallel num_threads(2)
    {
      int had = 0;
      if (omp_get_thread_num() == 0)
        begin = omp_get_wtime();
#pragma omp for schedule(dynamic, 1) nowait
      for (int i = 0; i <= number; i++) {
        if (omp_get_thread_num() == 0) {
          if (++had == number)
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        } else {
          while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE))
            ;
        }
      }
      if (omp_get_thread_num() == 0)
        one = (omp_get_wtime() - begin) / number;
    }
    best = one < best ? one : best;
  }
  return best;
}
int main(void) {
  int threads = omp_get_num_procs() < 8 ? omp_get_num_procs() : 8;
  omp_set_dynamic(0);
  of_all(threads, 1000);
  double serial = threads > 1 ? of_all(threads, 20000) : 0;
  double own = threads > 1 ? of_one(20000) : of_all(1, 20000);
  printf("%.12f %.12f\n", own > serial ? own : serial, serial);
  return 0;
}
"""


@dataclass(frozen=True, slots=True)
class ChunkCost:
    """Seconds for each chunk: `own` for the thread that gets it, `serial` in which no other thread
    gets one. `measured` is False if the values are assumed."""

    own: float
    serial: float
    measured: bool = True


ASSUMED = ChunkCost(5e-8, 5e-8, measured=False)


def measure_chunk_cost(runtime: str) -> ChunkCost:
    """Return the cost with the OpenMP runtime "libgomp" or "libomp"; `ASSUMED` if no compiler for it
    is here."""
    costs = measured_costs(runtime, _SOURCE)
    return ChunkCost(*costs) if costs is not None and len(costs) == 2 else ASSUMED


_MOST_CHUNKS = 8192
"""Chunks that are handed out one by one; where there are more, several are handed out at once."""

_MOST_STATIC_CHUNKS = 1 << 20

GUIDED_SHARE = {"libgomp": 1.0, "libomp": 0.5}
"""The share of a thread's part of the remaining iterations that a guided chunk has, by runtime
(libgomp: iter.c; libomp: kmp_dispatch.cpp, guided_iterative)."""


def loop_time(
    curve: CostCurve, schedule: Schedule, threads: int, cost: ChunkCost, runtime: str = ""
) -> float:
    """Return the seconds from a team's start until its last thread has no more iterations."""
    if schedule.kind == "static":
        return _static(curve, schedule.chunk, threads)
    if schedule.kind == "dynamic":
        return _dynamic(curve, schedule.chunk or 1, threads, cost)
    share = GUIDED_SHARE.get(runtime, 1.0)
    bounds = _guided_bounds(curve.iterations, schedule.chunk or 1, threads, share)
    return _hand_out(np.diff(curve.until(bounds)), threads, cost, 1.0)


def _static(curve: CostCurve, chunk: int | None, threads: int) -> float:
    number = curve.iterations
    if chunk is None:
        quotient, remainder = divmod(number, threads)
        sizes = np.full(threads, quotient)
        sizes[:remainder] += 1
        bounds = np.concatenate([[0.0], np.cumsum(sizes, dtype=np.float64)])
        return float(np.diff(curve.until(bounds)).max())
    chunks = -(-number // chunk)
    if chunks > _MOST_STATIC_CHUNKS:
        # Many chunks lie in each bin, whose iterations cost the same: they are shared out evenly.
        return curve.total / threads
    costs = np.diff(curve.until(_bounds(number, chunk)))
    return float(np.bincount(np.arange(chunks) % threads, costs, threads).max())


def _dynamic(curve: CostCurve, chunk: int, threads: int, cost: ChunkCost) -> float:
    number = curve.iterations
    at_once = max(1, -(-number // (chunk * _MOST_CHUNKS)))
    bounds = _bounds(number, chunk * at_once)
    return _hand_out(np.diff(curve.until(bounds)), threads, cost, float(at_once))


def _bounds(number: int, chunk: int) -> Floats:
    return np.append(np.arange(0, number, chunk, dtype=np.float64), float(number))


def _guided_bounds(number: int, chunk: int, threads: int, share: float) -> Floats:
    bounds, handed_out = [0.0], 0
    while handed_out < number:
        left = number - handed_out
        size = max(chunk, int(np.ceil(left * share / threads)))
        if len(bounds) >= _MOST_CHUNKS:
            size = max(size, -(-left // _MOST_CHUNKS))
        handed_out = min(number, handed_out + size)
        bounds.append(float(handed_out))
    return np.array(bounds)


def _hand_out(costs: Floats, threads: int, cost: ChunkCost, at_once: float) -> float:
    """Return when the last of the chunks ends. A thread takes the next one when it is done with its
    own; the common counter lets one thread at a time through. A chunk stands for `at_once`."""
    idle = [0.0] * threads
    heapify(idle)
    own_cost, serial = cost.own * at_once, cost.serial * at_once
    free = last = 0.0
    for chunk in costs.tolist():
        begin = heappop(idle)
        begin = free if free > begin else begin
        free = begin + serial
        end = begin + own_cost + chunk
        last = end if end > last else last
        heappush(idle, end)
    return last
