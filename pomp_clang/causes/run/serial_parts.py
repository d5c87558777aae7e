"""The parts of the main thread's time outside teams, named by the parallel region that follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.run.idle import serial_of
from pomp_clang.causes.run.run import Run, once
from pomp_clang.causes.timeline.columns import are_among, distinct
from pomp_clang.causes.timeline.places import Place
from pomp_clang.trace.model import Ints

AFTER_LAST = -1
"""The row of the region that follows where none does."""


@dataclass(frozen=True, slots=True)
class SerialIntervals:
    """Intervals of the main thread outside teams: `path` is its own row in the run's `paths`,
    `before` that of the parallel region that follows, or `AFTER_LAST`."""

    path: Ints
    before: Ints
    seconds: npt.NDArray[np.float64]


@once
def serial_intervals(run: Run) -> SerialIntervals:
    """Return the intervals in which the main thread works outside teams, in order."""
    since, until, path = serial_of(run)
    main_rows = run.membership.outermost_of(run.main)
    following = np.append(run.places.rows[run.membership.path[main_rows]], AFTER_LAST)
    before = following[np.searchsorted(run.membership.fork[main_rows], since, "left")]
    return SerialIntervals(path, before, (until - since) / run.second)


@dataclass(frozen=True, slots=True)
class MainThread:
    """The serial time of a process's main thread. `paths` are the process's call paths, and `first` is the
    row of the first parallel region in them, None without one."""

    paths: tuple[Place, ...]
    intervals: SerialIntervals | None
    first: int | None


def main_thread_of(run: Run) -> MainThread:
    """Return what the main thread of a run tells."""
    first = None
    if len(run.teams.fork):
        path = run.teams.path[int(np.argmin(run.teams.fork))]
        first = int(run.places.rows[path])
    return MainThread(run.paths, serial_intervals(run) if run.timelines else None, first)


@dataclass(frozen=True, slots=True)
class MainThreads:
    """The main threads of processes. `rows` maps each one's call paths to the common numbers, which are
    those of arguments and results."""

    threads: tuple[MainThread, ...]
    rows: tuple[Ints, ...]

    def serial_parts(self, paths: Sequence[int]) -> tuple[tuple[int, float], ...]:
        """Return the seconds at some call paths by the region that follows, the longest first."""
        totals: dict[int, float] = {}
        for thread, row_of in zip(self.threads, self.rows, strict=True):
            parts = thread.intervals
            if parts is None:
                continue
            is_here = are_among(row_of[parts.path], np.sort(paths))
            for before in distinct(parts.before[is_here]).tolist():
                seconds = float(parts.seconds[is_here & (parts.before == before)].sum())
                key = AFTER_LAST if before == AFTER_LAST else int(row_of[before])
                totals[key] = totals.get(key, 0.0) + seconds
        return tuple(sorted((part for part in totals.items() if part[1] > 0), key=lambda p: -p[1]))

    def first_regions(self) -> frozenset[int]:
        """Return the call paths of the first parallel region of each process, which starts the
        threads."""
        pairs = zip(self.threads, self.rows, strict=True)
        return frozenset(int(row_of[t.first]) for t, row_of in pairs if t.first is not None)
