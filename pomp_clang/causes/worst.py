"""The worst instances of what was found: when, on which thread, and for which call of whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from pomp_clang.causes.algebra import of_all
from pomp_clang.causes.findings import Finding, Instance, Partner
from pomp_clang.causes.mpi.waits import NOBODY
from pomp_clang.causes.occurrence import Occurrences, joined
from pomp_clang.causes.occurrences import parts_of, pieces_of
from pomp_clang.causes.property import Property
from pomp_clang.causes.run import Run
from pomp_clang.trace.mpi.workers import ALONE, Workers

EACH = 3
"""Of a finding."""


def with_instances(
    found: Sequence[Finding],
    kinds: Sequence[type[Property]],
    runs: dict[int, Run],
    workers: Workers = ALONE,
) -> list[Finding]:
    """At the first worker, which has found them.  `runs` are each one's, by the process."""
    asked = workers.told([(each.metric, each.path) for each in found])
    rows = of_all(workers.every({number: run.paths for number, run in runs.items()}))[1]
    own = {
        number: _of_run(run, number, rows[number].tolist(), asked, kinds)
        for number, run in runs.items()
    }
    every = workers.gathered(own)
    if not workers.is_first:
        return []
    return [
        replace(each, instances=_worst([instance for of in every for instance in of[at]]))
        for at, each in enumerate(found)
    ]


def _worst(instances: list[Instance]) -> tuple[Instance, ...]:
    order = sorted(instances, key=lambda of: (-of.severity, of.begin, of.process, of.thread))
    return tuple(order[:EACH])


def _of_run(
    run: Run,
    number: int,
    rows: list[int],
    asked: Sequence[tuple[int, int]],
    kinds: Sequence[type[Property]],
) -> list[list[Instance]]:
    """`rows` lead from the run's paths to the cube's.  Of one property all are looked for at once."""
    found: list[list[Instance]] = [[] for _ in asked]
    here = {row: path for path, row in enumerate(rows)}
    for metric in dict.fromkeys(metric for metric, path in asked if path in here):
        wanted = [at for at, (kind, path) in enumerate(asked) if kind == metric and path in here]
        paths = [here[asked[at][1]] for at in wanted]
        for at, worst in zip(wanted, _worst_of(run, kinds[metric], kinds, paths), strict=True):
            found[at] = _told(run, number, worst)
    return found


def _worst_of(
    run: Run, kind: type[Property], kinds: Sequence[type[Property]], paths: list[int]
) -> list[Occurrences]:
    """At each of some call paths; of what there is of it some is held at a time."""
    worst = [joined([]) for _ in paths]
    for piece in _pieces(run, kind, kinds):
        for at, path in enumerate(paths):
            mine = piece.take(np.flatnonzero(piece.path == path))
            every = joined([worst[at], mine])
            worst[at] = every.take(np.lexsort((every.begin, -every.severity))[:EACH])
    return worst


def _pieces(
    run: Run, kind: type[Property], kinds: Sequence[type[Property]]
) -> Iterator[Occurrences]:
    yield from pieces_of(kind, run)
    for each in parts_of(kind, kinds, run):
        yield from _pieces(run, each, kinds)


def _told(run: Run, number: int, some: Occurrences) -> list[Instance]:
    moments = (some.begin, some.end)
    if run.peers is not None:
        begin, end = (run.peers.seconds(run, each) for each in moments)
    else:
        begin, end = ((each - run.start) / run.second for each in moments)
    return [
        Instance(
            run.peers.rank(run) if run.peers is not None else number,
            run.threads[some.thread[row]].thread,
            float(begin[row]),
            float(end[row]),
            float(some.severity[row]),
            _partner(run, int(call)),
        )
        for row, call in enumerate(some.partners)
    ]


def _partner(run: Run, call: int) -> Partner | None:
    if run.peers is None or call == NOBODY:
        return None
    return Partner(*run.peers.caller(call))
