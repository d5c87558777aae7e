"""The number of threads from which on more of them save little, from runs with several numbers.

A time is modeled as shared work / threads + serial time + overhead of the teams. The overhead is
the measured one of each thread, which grows linearly with the threads. Work and serial time are
fitted to the rest, by least squares of the relative errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_LITTLE = 0.05
"""The share of the time that twice as many threads have to save."""

_MOST = 1024
"""The most threads that are considered."""


@dataclass(frozen=True, slots=True)
class MeasuredTime:
    """The seconds of a run or region with a number of threads; `overhead` is the value of each
    thread."""

    threads: int
    seconds: float
    overhead: float = 0.0


@dataclass(frozen=True, slots=True)
class Saturation:
    """Twice as many as `threads` save less than 5 %. `seconds` is the time with these threads; the
    model has it from `work`, `serial` and `overhead` of each thread. `measured` is the run with most
    threads."""

    threads: int
    seconds: float
    measured: MeasuredTime
    work: float
    serial: float
    overhead: tuple[float, float]

    def time(self, threads: int) -> float:
        """Return the seconds expected with a number of threads."""
        return self.work / threads + self.serial + _overhead(self.overhead, threads)


def saturation(times: Sequence[MeasuredTime]) -> Saturation | None:
    """Return where a time saturates; None if it was measured with one number of threads only."""
    known = [time for time in times if time.seconds > 0]
    if len({curve_point.threads for curve_point in known}) < 2:
        return None
    line = _line(known)
    rest = [
        max(0.0, curve_point.seconds - _overhead(line, curve_point.threads))
        for curve_point in known
    ]
    work, serial = _fit_times(known, rest)
    measured = max(known, key=lambda curve_point: curve_point.threads)
    model = Saturation(1, 0.0, measured, work, serial, line)
    threads = 1
    while threads < _MOST and model.time(2 * threads) < (1 - _LITTLE) * model.time(threads):
        threads *= 2
    return Saturation(threads, model.time(threads), measured, work, serial, line)


def _line(times: Sequence[MeasuredTime]) -> tuple[float, float]:
    """Return offset and slope of the overhead over the threads, neither below 0. A team of one thread
    has none; with one other number of threads the overhead is taken as proportional to them."""
    teams = [time for time in times if time.threads > 1]
    if len({team.threads for team in teams}) < 2:
        return 0.0, max((team.overhead / team.threads for team in teams), default=0.0)
    threads = np.array([team.threads for team in teams], np.float64)
    overhead = np.array([team.overhead for team in teams], np.float64)
    deviations = threads - threads.mean()
    slope = max(0.0, float((deviations * overhead).sum() / (deviations**2).sum()))
    return max(0.0, float(overhead.mean() - slope * threads.mean())), slope


def _overhead(line: tuple[float, float], threads: int) -> float:
    return line[0] + line[1] * threads if threads > 1 else 0.0


def _fit_times(times: Sequence[MeasuredTime], rest: Sequence[float]) -> tuple[float, float]:
    """Return shared work and serial time, neither below 0."""
    weight = np.array([1 / time.seconds for time in times])
    columns = np.stack([weight / [time.threads for time in times], weight], axis=1)
    weighted = weight * rest
    both, *_ = np.linalg.lstsq(columns, weighted, rcond=None)
    if min(both) >= 0:
        return float(both[0]), float(both[1])
    alone = [float(column @ weighted / (column @ column)) for column in columns.T]
    errors = [
        float(((column * value - weighted) ** 2).sum())
        for column, value in zip(columns.T, alone, strict=True)
    ]
    return (alone[0], 0.0) if errors[0] <= errors[1] else (0.0, alone[1])
