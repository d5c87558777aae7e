"""Fewer tasks, and waits for tasks that are dropped, by list schedules of the recorded tasks.

The schedule of the tasks as recorded calibrates the others: a phase takes its recorded time,
multiplied by the ratio of the two schedules. Whoever is free takes a task: its newest, else the
oldest of the others. A thread in a wait takes tasks, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pomp_clang.analysis.properties import lasting
from pomp_clang.causes.remedies import RemedyPrediction
from pomp_clang.causes.remedies.task_graph import TaskGraph, task_graph_of
from pomp_clang.causes.remedies.task_kernel import WAIT, ScheduledColumns, scheduled
from pomp_clang.causes.run.run import Run, once
from pomp_clang.causes.timeline.location_timeline import Ticks
from pomp_clang.causes.what_if.simulate import recorded_end
from pomp_clang.shared_dataclass import dataclass


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


_CUTOFFS = (10, 100, 1000, 10000)
"""Sizes of tasks that are tried, as multiples of the price to create and get one."""

_SMALLEST_SHARE = 0.05
"""The share of all tasks that have to be below a cutoff."""


def fewer_tasks(run: Run, _: Sequence[int]) -> Iterator[RemedyPrediction]:
    """Yield the best prediction with the smallest tasks run where they are created."""
    cut_off = _cut_off(run)
    if cut_off is not None:
        yield cut_off


@once
def _cut_off(run: Run) -> RemedyPrediction | None:
    graph = task_graph_of(run)
    if graph is None or not graph.tasks.explicit.any():
        return None
    explicit = graph.tasks.explicit
    sizes = graph.tasks.inclusive[explicit]
    price = float(np.mean(graph.tasks.creation[explicit])) + graph.dispatch
    predictions = []
    for factor in _CUTOFFS:
        cutoff = factor * price
        number = int((sizes < cutoff).sum())
        if number < _SMALLEST_SHARE * len(sizes):
            continue
        size = lasting(cutoff / run.second)
        words = (
            f"no tasks of less than {size}",
            f"{number} of the first {len(sizes)} tasks, with those below them, take less than {size}.",
        )
        predictions.append(_predicted(run, graph, TaskChange(cutoff=cutoff), *words))
    return min(predictions, key=lambda prediction: prediction.seconds, default=None)


def without_taskwaits(run: Run, paths: Sequence[int]) -> Iterator[RemedyPrediction]:
    """Yield the prediction for depend clauses, where the task that waits is an implicit one, or for a
    taskgroup around all tasks, where it is an explicit one."""
    graph = task_graph_of(run)
    if graph is None:
        return
    in_implicit = _are_in_implicit(graph, paths)
    words = _IN_ROUNDS if in_implicit else _IN_TASKS
    change = TaskChange(dropped=frozenset(paths), in_rounds=in_implicit)
    yield _predicted(run, graph, change, *words)


def _are_in_implicit(graph: TaskGraph, paths: Sequence[int]) -> bool:
    """Return whether any wait at the call paths is an implicit task's of a phase."""
    tasks = graph.tasks
    is_root = np.zeros(len(tasks.thread), np.bool_)
    is_root[graph.phases.roots] = True
    waits = (tasks.kind == WAIT) & np.repeat(is_root, np.diff(tasks.first))
    return not set(paths).isdisjoint(tasks.value[waits].tolist())


_IN_ROUNDS = (
    "depend clauses in its place",
    "It is assumed that a task needs only the one before it at the same place of the round.",
)
_IN_TASKS = (
    "one taskgroup around all tasks in its place",
    "It is assumed that nothing behind the taskwait needs the tasks' results.",
)


def _predicted(
    run: Run, graph: TaskGraph, change: TaskChange, words: str, condition: str
) -> RemedyPrediction:
    before = recorded_end(run) / run.second
    base, changed, phase_ticks = _recorded(run), times(graph, change), graph.phases.ticks
    known = np.flatnonzero(base > 0)
    saved = sum((phase_ticks[known] * (1 - np.minimum(1.0, changed[known] / base[known]))).tolist())
    total = int(phase_ticks.sum())
    saved *= 1 + graph.later / total if total else 1.0
    return RemedyPrediction(words, max(0.0, before - saved / run.second), before, condition)


@once
def _recorded(run: Run) -> Ticks:
    graph = task_graph_of(run)
    return times(graph, AS_RECORDED) if graph is not None else np.zeros(0)
