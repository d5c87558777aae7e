"""Fewer tasks, and waits for tasks that are dropped, by list schedules of the recorded tasks.

The schedule of the tasks as recorded calibrates the others: a phase takes its recorded time,
multiplied by the ratio of the two schedules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from pomp_clang.analysis.properties import lasting
from pomp_clang.causes.remedies.remedy_prediction import RemedyPrediction
from pomp_clang.causes.remedies.task_graph import WAIT, TaskGraph, task_graph_of
from pomp_clang.causes.remedies.task_schedule import AS_RECORDED, TaskChange, times
from pomp_clang.causes.run.run import Run, once
from pomp_clang.causes.waits.wait_graph import graph_of
from pomp_clang.causes.what_if.case import as_it_is
from pomp_clang.causes.what_if.simulate import end_of

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
    if graph is None:
        return None
    explicit = [task for task in graph.tasks if task.parent >= 0]
    sizes = np.array([task.inclusive for task in explicit])
    price = float(np.mean([task.creation for task in explicit])) + graph.dispatch
    tried = []
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
        tried.append(_predicted(run, graph, TaskChange(cutoff=cutoff), *words))
    return min(tried, key=lambda prediction: prediction.seconds, default=None)


def without_taskwaits(run: Run, paths: Sequence[int]) -> Iterator[RemedyPrediction]:
    """Yield the prediction for depend clauses, where the task that waits is an implicit one, or for a
    taskgroup around all tasks, where it is an explicit one."""
    graph = task_graph_of(run)
    if graph is None:
        return
    dropped = frozenset(paths)
    in_implicit = any(
        kind == WAIT and int(value) in dropped
        for phase in graph.phases
        for root in phase.roots
        for kind, value in graph.tasks[root].steps
    )
    words = _IN_ROUNDS if in_implicit else _IN_TASKS
    yield _predicted(run, graph, TaskChange(dropped=dropped, in_rounds=in_implicit), *words)


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
    before = end_of(run, graph_of(run), as_it_is(run)) / run.second
    base, changed = _recorded(run), times(graph, change)
    saved = 0.0
    for number, phase in enumerate(graph.phases):
        if base[number] > 0:
            saved += phase.took * (1 - min(1.0, changed[number] / base[number]))
    total = sum(phase.took for phase in graph.phases)
    saved *= 1 + graph.later / total if total else 1.0
    return RemedyPrediction(words, max(0.0, before - saved / run.second), before, condition)


@once
def _recorded(run: Run) -> Mapping[int, float]:
    graph = task_graph_of(run)
    return times(graph, AS_RECORDED) if graph is not None else {}
