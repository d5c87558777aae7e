"""What a job would gain: the traces of all its processes once more, in which they wait for each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pomp_clang.causes.algebra import of_all
from pomp_clang.causes.graph import depths, graph_of, in_order
from pomp_clang.causes.mpi.inserted import clock_of
from pomp_clang.causes.predict import as_it_is, changed_of
from pomp_clang.causes.property import Property
from pomp_clang.causes.retime import Changed, Points, reached
from pomp_clang.causes.run import Run
from pomp_clang.trace.mpi.columns import Job


class Coupled:
    """Call paths are those of all, as the cube has them that they are merged to.  Times are seconds
    of the job."""

    def __init__(self, job: Job, runs: Sequence[Run]) -> None:
        self._runs = runs
        _, self._rows = of_all([run.paths for run in runs])
        self._graphs = [graph_of(run) for run in runs]
        self._first = np.cumsum([0, *(len(run.courses) for run in runs)])
        clocks = [clock_of(job, number) for number in range(len(runs))]
        starts = [
            float(clock.at(np.array([run.start]))[0]) / 1e9
            for clock, run in zip(clocks, runs, strict=True)
        ]
        self._start = np.repeat(starts, np.diff(self._first))
        self._begin = min(starts, default=0.0)
        shared = max((each.objects - each.calls_from for each in self._graphs), default=0)
        own = np.cumsum([shared, *(each.calls_from for each in self._graphs)])
        self._objects = int(own[-1])
        kind = np.concatenate([each.kind for each in self._graphs])
        course = np.concatenate(
            [each.course + first for each, first in zip(self._graphs, self._first, strict=False)]
        )
        wanted = []
        for graph, first in zip(self._graphs, own, strict=False):
            is_call = graph.object >= graph.calls_from
            number = np.where(is_call, graph.object - graph.calls_from, graph.object + first)
            wanted.append(np.where(graph.object < 0, -1, number))
        when = np.concatenate(
            [clock.at(each.after) for clock, each in zip(clocks, self._graphs, strict=True)]
        )
        order = in_order(when, 2 * depths(course, when), kind)
        self._points = Points(order, kind, course, np.concatenate(wanted))
        self._same = [as_it_is(run) for run in runs]
        self.duration = self._end(self._same)

    def gain_of(self, kind: type[Property], path: int) -> float | None:
        """Seconds; None where it cannot be told of a process that comes to the call path."""
        changes = []
        for run, rows, same in zip(self._runs, self._rows, self._same, strict=True):
            here = np.flatnonzero(rows == path)
            changed = changed_of(run, kind, int(here[0])) if len(here) and run.courses else same
            if changed is None:
                return None
            changes.append(changed)
        return max(0.0, self.duration - self._end(changes))

    def _end(self, changes: Sequence[Changed]) -> float:
        seconds = [1.0 / run.second for run in self._runs]
        pairs = list(zip(changes, seconds, strict=True))
        at = reached(
            self._points,
            np.concatenate([each.work * second for each, second in pairs]),
            np.concatenate([each.lag * second for each, second in pairs]),
            np.concatenate([each.is_free for each in changes]),
            self._start.copy(),
            self._objects,
        )
        ends = [
            at[first + run.main] + each.tail * second
            for run, first, (each, second) in zip(self._runs, self._first, pairs, strict=False)
            if run.courses
        ]
        return float(max(ends, default=self._begin)) - self._begin
