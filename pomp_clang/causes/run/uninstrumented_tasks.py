"""Taskloops whose tasks were not recorded, as the code that contains them was linked without
pomp-clang."""

from __future__ import annotations

from pomp_clang.causes.run.run import Run
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.trace.mpi.workers import ALONE, Workers

_MOST = 3
"""That are named."""

_Spot = tuple[str, int]


def unrecorded_taskloops(runs: dict[int, Run], workers: Workers = ALONE) -> list[str]:
    """Return a sentence that names the taskloops whose tasks were not recorded, for the processes
    of all workers; none if there is no such taskloop."""
    by_node = workers.allgather({number: _spots(run) for number, run in runs.items()})
    spots = sorted({spot for found_in_run in by_node for spot in found_in_run})
    if not spots:
        return []
    named = [f"{file}:{line}" for file, line in spots[:_MOST]]
    if len(spots) > _MOST:
        named.append(f"{len(spots) - _MOST} more")
    return [
        f"The tasks of the taskloop at {' and at '.join(named)} were not recorded: threads that run "
        "them seem to compute, or to wait. Link the code around the taskloop with pomp-clang, "
        "unless it makes no tasks."
    ]


def _spots(run: Run) -> list[_Spot]:
    """Return file and line of taskloops that ran but neither created a task nor waited for one."""
    tells = run.seconds(Activity.CREATE, Activity.TASKWAIT).sum(axis=1)
    visits = run.visits.sum(axis=1)
    seen: set[_Spot] = set()
    spots: set[_Spot] = set()
    for row, place in enumerate(run.paths):
        if "taskloop" in place.kind and visits[row]:
            spot = place.file, place.line
            seen.add(spot)
            if place.task or tells[row]:
                spots.add(spot)
    return sorted(seen - spots)
