"""The time of a phase's tasks on a team, as a list schedule: whoever is free takes a task.

A thread takes its newest task, else the oldest of the others. A thread in a wait takes tasks, too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pomp_clang.causes.remedies.task_graph import TaskGraph
from pomp_clang.causes.remedies.task_kernel import WAIT, ScheduledColumns, scheduled
from pomp_clang.causes.timeline.location_timeline import Ticks


@dataclass(frozen=True, slots=True)
class TaskChange:
    """A change of the tasks. Tasks with less work than `cutoff` ticks, with all tasks below them,
    are
    run where they are created. Waits at the call paths `dropped` are left out. With `in_rounds`, a
    task begins after the one at the same place among those before such a wait."""

    cutoff: float = 0.0
    dropped: frozenset[int] = frozenset()
    in_rounds: bool = False


AS_RECORDED = TaskChange()


def times(graph: TaskGraph, change: TaskChange = AS_RECORDED) -> Ticks:
    """Return the ticks of each phase under a change, until all its tasks are done."""
    tasks, phases = graph.tasks, graph.phases
    waits = tasks.value[tasks.kind == WAIT]
    dropped = np.zeros(int(waits.max(initial=0)) + 1, np.bool_)
    dropped[[path for path in change.dropped if path < len(dropped)]] = True
    columns = ScheduledColumns(
        tasks.first, tasks.kind, tasks.value, tasks.thread, tasks.parent, tasks.inclusive,
        tasks.creation, phases.first, phases.roots,
    )  # fmt: skip
    return scheduled(columns, graph.dispatch, change.cutoff, dropped, change.in_rounds)
