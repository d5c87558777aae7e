"""The runs of a job's processes, and what they are together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.algebra import of_all
from pomp_clang.causes.critical import Jumps, jumps_of, leading, ordered
from pomp_clang.causes.delays import Delays
from pomp_clang.causes.graph import Rows
from pomp_clang.causes.mpi.delaying import one_by_one
from pomp_clang.causes.mpi.delays import Found, Whole, between, by_process
from pomp_clang.causes.mpi.dependencies import Dependencies, dependencies_of
from pomp_clang.causes.mpi.inserted import clock_of, ticks_at
from pomp_clang.causes.mpi.operations import Operations, operations_of
from pomp_clang.causes.mpi.points import points_of
from pomp_clang.causes.mpi.waits import Waits
from pomp_clang.causes.occurrence import Occurrences
from pomp_clang.causes.places import Place
from pomp_clang.causes.run import Cells, Run
from pomp_clang.causes.tally import Tally
from pomp_clang.trace.model import Ints
from pomp_clang.trace.mpi.columns import Job
from pomp_clang.trace.mpi.workers import Workers


@dataclass(frozen=True, slots=True, eq=False)
class About:
    """What all workers know of a process: its call paths, how many threads it has, the number of
    the thread that each course is of, which course is its main thread's, and from when to when it
    was there, on the job's clock."""

    paths: tuple[Place, ...]
    threads: int
    thread: tuple[int, ...]
    main: int
    start: int
    end: int

    @property
    def courses(self) -> int:
        return len(self.thread)


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """`runs` are this worker's, by the job's processes; `about` is of all of these, and `rows` lead
    from the call paths of each to those of all, of which there are `paths`."""

    job: Job
    runs: dict[int, Run]
    workers: Workers
    waits: Waits
    about: list[About]
    rows: tuple[Ints, ...]
    paths: int
    memo: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def threads(self) -> int:
        return sum(each.threads for each in self.about)

    def total(self, run: Run, compute: Callable[[Run], Cells]) -> Cells:
        """To the nanosecond."""
        if compute not in self.memo:
            whole = np.zeros(self.paths, np.int64)
            for number, each in self.runs.items():
                sums = np.rint(compute(each).sum(axis=1) * 1e9).astype(np.int64)
                np.add.at(whole, self.rows[number], sums)
            self.memo[compute] = self.workers.sum(whole) / 1e9
        found: Cells = self.memo[compute][self.rows[self._number(run)]][:, None]
        return found

    def critical(self, run: Run) -> tuple[Ints, Ints, Ints]:
        if "critical" not in self.memo:
            self.memo["critical"] = self._critical()
        found: tuple[Ints, Ints, Ints] = self.memo["critical"][self._number(run)]
        return found

    def points(self, run: Run) -> tuple[list[list[Rows]], int]:
        of = self.dependencies()
        return points_of(self.job, self._number(run), run, of), len(of.state)

    def dependencies(self) -> Dependencies:
        """Return those between the calls of all processes."""
        if "dependencies" not in self.memo:
            self.memo["dependencies"] = dependencies_of(self.job, self.waits, self.operations())
        found: Dependencies = self.memo["dependencies"]
        return found

    def operations(self) -> Operations:
        """Return the operations that several processes take part in."""
        if "operations" not in self.memo:
            self.memo["operations"] = operations_of(self.job)
        found: Operations = self.memo["operations"]
        return found

    def delays(self, run: Run) -> Delays:
        if "delays" not in self.memo:
            self.memo["delays"] = by_process(self._whole(), self._between())
        found: Delays = self.memo["delays"][self._number(run)]
        return found

    def rank(self, run: Run) -> int:
        return self._rank(self._number(run))

    def seconds(self, run: Run, ticks: Ints) -> npt.NDArray[np.float64]:
        return (clock_of(self.job, self._number(run)).at(ticks) - self._begin()) / 1e9

    def caller(self, call: int) -> tuple[int, int, int, float]:
        whole = self._whole()
        course = int(whole.course[call])
        number = int(np.searchsorted(whole.first, course, "right")) - 1
        thread = self.about[number].thread[course - int(whole.first[number])]
        begin = float(self.job.calls.enter[call] - self._begin()) / 1e9
        return self._rank(number), thread, int(whole.path[call]), begin

    def _begin(self) -> int:
        return min(each.start for each in self.about)

    def _rank(self, number: int) -> int:
        return self.job.processes[number].rank if len(self.job.processes) > 1 else 0

    def placed(self, run: Run, tally: Tally) -> Tally:
        number = self._number(run)
        first = sum(each.threads for each in self.about[:number])
        return tally.placed(self.rows[number], first)

    def delaying(self, run: Run, what: str) -> Occurrences:
        return one_by_one(self._whole(), self._between(), self._number(run), run, what)

    def courses_of_calls(self) -> Ints:
        """Return the course of each call, as the courses of all processes are numbered."""
        return self._whole().course

    def paths_of_calls(self) -> Ints:
        """Return the job's call path of each call."""
        return self._whole().path

    def _between(self) -> Found:
        if "between" not in self.memo:
            self.memo["between"] = between(self._whole(), self.waits.for_others())
        found: Found = self.memo["between"]
        return found

    def _number(self, run: Run) -> int:
        return next(n for n, each in self.runs.items() if each.records is run.records)

    def _critical(self) -> dict[int, tuple[Ints, Ints, Ints]]:
        """From the end of the process that ends last."""
        whole = self._whole()
        jumps = self._jumps(whole)
        last = int(np.argmax([each.end for each in self.about]))
        course = int(whole.first[last]) + self.about[last].main
        rows = leading(jumps, int(whole.first[-1]), course)
        on = np.append(np.int64(course), jumps.cause[rows])
        since = jumps.since[rows]
        end = np.append(np.int64(self.about[last].end), since)
        process = np.searchsorted(whole.first, on, "right") - 1
        begin = np.append(since, np.int64(self.about[int(process[-1])].start))
        found = {}
        for number in self.runs:
            mine = np.flatnonzero(process == number)
            clock = clock_of(self.job, number)
            when = (ticks_at(clock, each[mine]) for each in (begin, end))
            found[number] = (on[mine] - whole.first[number], *when)
        return found

    def _whole(self) -> Whole:
        if "whole" not in self.memo:
            first = np.cumsum([0, *(each.courses for each in self.about)])
            course, path = (np.zeros(len(self.job.calls.enter), np.int64) for _ in range(2))
            for number, run in self.runs.items():
                if run.mpi is not None:
                    own = run.mpi.own
                    course[own.rows] = first[number] + run.course_of_calls()
                    path[own.rows] = self.rows[number][run.places.rows[own.path]]
            course, path = self.workers.sum(course), self.workers.sum(path)
            self.memo["whole"] = Whole(
                self.job, self.runs, self.workers, first, self.rows, self.paths, course, path,
                self.operations(),
            )  # fmt: skip
        found: Whole = self.memo["whole"]
        return found

    def _jumps(self, whole: Whole) -> Jumps:
        own: dict[int, tuple[Ints, Ints, Ints, Ints]] = {}
        for number, run in self.runs.items():
            jumps, base = jumps_of(run), whole.first[number]
            clock = clock_of(self.job, number)
            after, since = clock.at(jumps.after), clock.at(jumps.since)
            own[number] = jumps.course + base, after, jumps.cause + base, since
        waits = self.waits.for_others()
        leave = self.job.calls.leave[waits.call]
        course, cause = whole.course[waits.call], whole.course[waits.cause]
        parts = self.workers.every(own)
        parts.append((course, leave, cause, np.minimum(waits.since, leave)))
        return ordered(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def together(job: Job, runs: dict[int, Run], waits: Waits, workers: Workers) -> dict[int, Run]:
    """The same runs, each of which knows the others."""
    about = workers.every({number: _about(job, number, run) for number, run in runs.items()})
    paths, rows = of_all([each.paths for each in about])
    peers = Together(job, {}, workers, waits, about, tuple(rows), len(paths))
    for number, run in runs.items():
        peers.runs[number] = replace(run, peers=peers, memo={})
    return peers.runs


def _about(job: Job, number: int, run: Run) -> About:
    start, end = clock_of(job, number).at(np.array([run.start, run.end])).tolist()
    thread = tuple(run.threads[row].thread for row in run.thread)
    return About(run.paths, len(run.threads), thread, run.main, start, end)
