"""The time that a team takes for a loop under a schedule: its chunks, handed out as OpenMP does.

Threads start together. Iterations cost what they cost in the recorded run, whichever thread has
them.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np

from pomp_clang.analysis.schedules.iteration_costs import ChunkCost, CostCurve, Floats
from pomp_clang.analysis.schedules.schedule import Schedule

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
