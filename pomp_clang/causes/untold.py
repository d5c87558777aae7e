"""Taskloops of whose tasks nothing is told, since what they are in was linked without pomp-clang."""

from __future__ import annotations

from pomp_clang.causes.activity import Activity
from pomp_clang.causes.run import Run
from pomp_clang.trace.mpi.workers import ALONE, Workers

_MOST = 3
"""That are named."""

_Spot = tuple[str, int]


def untold(runs: dict[int, Run], workers: Workers = ALONE) -> list[str]:
    """A sentence, of all workers' processes; none where there is nothing to say."""
    told = workers.every({number: _spots(run) for number, run in runs.items()})
    spots = sorted({spot for each in told for spot in each})
    if not spots:
        return []
    named = [f"{file}:{line}" for file, line in spots[:_MOST]]
    if len(spots) > _MOST:
        named.append(f"{len(spots) - _MOST} more")
    return [
        f"Of the tasks of the taskloop at {' and at '.join(named)} nothing is told: who runs them "
        "seems to compute, or to wait. Unless there were none, link what it is in with pomp-clang."
    ]


def _spots(run: Run) -> list[_Spot]:
    """Where a taskloop was met, and neither made a task nor waited for one."""
    tells = run.seconds(Activity.CREATE, Activity.TASKWAIT).sum(axis=1)
    visits = run.visits.sum(axis=1)
    met: set[_Spot] = set()
    told: set[_Spot] = set()
    for row, place in enumerate(run.paths):
        if "taskloop" in place.kind and visits[row]:
            spot = place.file, place.line
            met.add(spot)
            if place.task or tells[row]:
                told.add(spot)
    return sorted(met - told)
