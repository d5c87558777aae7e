"""The runs of a job's processes, and what they are together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pomp_clang.causes.algebra import of_all
from pomp_clang.causes.critical import Jumps, jumps_of, leading, ordered
from pomp_clang.causes.delays import Delays
from pomp_clang.causes.graph import Rows
from pomp_clang.causes.mpi.delays import Whole, between
from pomp_clang.causes.mpi.inserted import clock_of, ticks_at
from pomp_clang.causes.mpi.points import objects_of, points_of
from pomp_clang.causes.mpi.waits import Waits
from pomp_clang.causes.run import Cells, Run
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """`runs` are by the job's processes, `rows` lead from the call paths of each to those of all,
    of which there are `paths`."""

    job: Job
    runs: list[Run]
    waits: Waits
    rows: tuple[Ints, ...]
    paths: int
    memo: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def threads(self) -> int:
        return sum(len(run.threads) for run in self.runs)

    def total(self, run: Run, compute: Callable[[Run], Cells]) -> Cells:
        """To the nanosecond."""
        if compute not in self.memo:
            whole = np.zeros(self.paths, np.int64)
            for each, rows in zip(self.runs, self.rows, strict=True):
                sums = np.rint(compute(each).sum(axis=1) * 1e9).astype(np.int64)
                np.add.at(whole, rows, sums)
            self.memo[compute] = whole / 1e9
        found: Cells = self.memo[compute][self.rows[self._number(run)]][:, None]
        return found

    def critical(self, run: Run) -> tuple[Ints, Ints, Ints]:
        if "critical" not in self.memo:
            self.memo["critical"] = self._critical()
        found: tuple[Ints, Ints, Ints] = self.memo["critical"][self._number(run)]
        return found

    def points(self, run: Run) -> tuple[list[Rows], int]:
        return points_of(self.job, self._number(run), run), objects_of(self.job)

    def delays(self, run: Run) -> Delays:
        if "delays" not in self.memo:
            self.memo["delays"] = between(self._whole(), self.waits.for_others())
        found: Delays = self.memo["delays"][self._number(run)]
        return found

    def _number(self, run: Run) -> int:
        return next(n for n, each in enumerate(self.runs) if each.records is run.records)

    def _critical(self) -> list[tuple[Ints, Ints, Ints]]:
        """From the end of the process that ends last."""
        whole = self._whole()
        jumps = self._jumps(whole)
        ends = [self._at(number, np.array([run.end]))[0] for number, run in enumerate(self.runs)]
        last = int(np.argmax(ends))
        course = int(whole.first[last]) + self.runs[last].main
        rows = leading(jumps, int(whole.first[-1]), course)
        on = np.append(np.int64(course), jumps.cause[rows])
        since, end = jumps.since[rows], np.append(ends[last], jumps.since[rows])
        process = np.searchsorted(whole.first, on, "right") - 1
        first = self.runs[int(process[-1])]
        begin = np.append(since, self._at(int(process[-1]), np.array([first.start])))
        found = []
        for number in range(len(self.runs)):
            mine = np.flatnonzero(process == number)
            when = (self._back(number, each[mine]) for each in (begin, end))
            found.append((on[mine] - whole.first[number], *when))
        return found

    def _whole(self) -> Whole:
        if "whole" not in self.memo:
            first = np.cumsum([0, *(len(run.courses) for run in self.runs)])
            course, path = (np.zeros(len(self.job.calls.enter), np.int64) for _ in range(2))
            for number, run in enumerate(self.runs):
                if run.mpi is not None:
                    own = run.mpi.own
                    course[own.rows] = first[number] + run.course_of_calls()
                    path[own.rows] = self.rows[number][run.places.rows[own.path]]
            self.memo["whole"] = Whole(
                self.job, self.runs, first, self.rows, self.paths, course, path
            )
        found: Whole = self.memo["whole"]
        return found

    def _jumps(self, whole: Whole) -> Jumps:
        calls = self.job.calls
        parts = []
        for number, run in enumerate(self.runs):
            own, base = jumps_of(run), whole.first[number]
            after, since = self._at(number, own.after), self._at(number, own.since)
            parts.append((own.course + base, after, own.cause + base, since))
        waits = self.waits.for_others()
        leave = calls.leave[waits.call]
        course, cause = whole.course[waits.call], whole.course[waits.cause]
        parts.append((course, leave, cause, np.minimum(waits.since, leave)))
        return ordered(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _at(self, number: int, ticks: Ints) -> Ints:
        return clock_of(self.job, number).at(ticks)

    def _back(self, number: int, ns: Ints) -> Ints:
        return ticks_at(clock_of(self.job, number), ns)


def together(job: Job, runs: tuple[Run, ...], waits: Waits) -> tuple[Run, ...]:
    """The same runs, each of which knows the others."""
    paths, rows = of_all([run.paths for run in runs])
    peers = Together(job, [], waits, tuple(rows), len(paths))
    peers.runs.extend(replace(run, peers=peers, memo={}) for run in runs)
    return tuple(peers.runs)
