"""A finding of a trace: a property at a statement, or several properties of one cause; with its
title and advice, which are those of the same inefficiency in a profile.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from pomp_clang.analysis.management_property_texts import (
    SLOW_TEAM,
    SLOW_TEAM_PRICE,
    TEAM_MANAGEMENT,
    TEAM_STARTED_ONCE,
)
from pomp_clang.analysis.overheads.off_processor import NO_WAITS, ProcessorWaits
from pomp_clang.analysis.property_row import PropertyText, takes_nowait
from pomp_clang.analysis.property_texts import (
    FREQUENT_ATOMIC,
    FREQUENT_ATOMIC_READ,
    IMBALANCE_IN_LOOP,
    LAST_CHUNK_IN_LOOP,
    LATE_AT_SINGLE,
    LATE_IN_LOOP,
    LATE_IN_REGION,
    SERIAL_SINGLE,
    TASKS_AT_BARRIER,
    WAIT_FOR_KERNELS,
    WAIT_FOR_TASKS,
    advice_on_kernels,
)
from pomp_clang.analysis.property_titles import of_trace, trace_title
from pomp_clang.analysis.task_size import TaskEvidence
from pomp_clang.causes.cube.cube import Cube
from pomp_clang.causes.cube.instance_statistics import Instance, Statistics
from pomp_clang.causes.remedies import RemedyPrediction, sentence_of
from pomp_clang.causes.timeline.location_timeline import Flags, Ticks
from pomp_clang.causes.timeline.places import waits_for_kernels
from pomp_clang.shared_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """A property at a statement: seconds by thread, without those of its parts that have a remedy
    themselves. `path` is the costliest call path that leads to the statement, and `paths` are all of
    them with their seconds, the costliest first. `gain` is the predicted saving of wall time in seconds, None if it was not
    predicted. `instances` are the worst, and `statistics` those of all instances, including the
    parts'; both are empty if the instances are not known. `remedies` are the remedies that were
    simulated on the trace and help, the best one first. A finding of several others has these as
    its `parts`, its own texts and a `reason`. The gains of the parts add up or one is a part of the other. The parts
    differ in place only if `is_combined`. `processors` are the waits for a processor in the run. `serial`
    are the parts of the time in which the main thread works alone, the longest first: the call path of
    the parallel region that follows (`AFTER_LAST` if none does), and seconds."""

    metric: int
    path: int
    threads: npt.NDArray[np.float64]
    paths: tuple[tuple[int, float], ...] = ()
    gain: float | None = None
    instances: tuple[Instance, ...] = ()
    statistics: Statistics | None = None
    remedies: tuple[RemedyPrediction, ...] = ()
    parts: tuple[Finding, ...] = ()
    text: PropertyText | None = None
    reason: str = ""
    adds: bool = False
    is_combined: bool = False
    processors: ProcessorWaits = NO_WAITS
    serial: tuple[tuple[int, float], ...] = ()

    @property
    def severity(self) -> float:
        return float(self.threads.sum())


def finding_title(cube: Cube, finding: Finding) -> str:
    """Return the title of a finding."""
    return finding.text.title if finding.text else title_of(cube, finding.metric, finding.path)


def title_of(cube: Cube, metric: int, path: int) -> str:
    """Return the title of a property at a call path."""
    return trace_title(cube.metric_path(metric), cube.paths[path].kind)


def advice_of(
    cube: Cube,
    metric: int,
    paths: Sequence[int],
    tasks: TaskEvidence | None,
    processors: ProcessorWaits = NO_WAITS,
) -> str:
    """Return the advice for a property at a statement's call paths, the costliest first; "" if it
    has none.

    The advice for one thread, and of properties that no profile has, is the metric's own.
    """
    path, advice = paths[0], cube.metrics[metric].advice
    is_alone = len(cube.threads) <= len({thread.process for thread in cube.threads})
    if is_wait_for_kernels(cube, metric, path):
        return advice_on_kernels(WAIT_FOR_TASKS, processors.run_kernels)
    if cube.metrics[metric].name in WAIT_FOR_KERNELS.trace_names:
        return advice_on_kernels(WAIT_FOR_KERNELS, processors.run_kernels)
    if not advice or is_alone:
        return advice
    size = tasks.size if tasks else None
    if cube.metrics[metric].name == "Wait for Tasks":
        return TASKS_AT_BARRIER[size] if size else advice
    row, severity = _row_of(cube, metric, paths), float(cube.dense(metric)[list(paths)].sum())
    if row is None:
        return advice
    place, queued = cube.paths[path], processors.explain(severity)
    return row.advice_for(size, False, processors.use, queued, takes_nowait(place.kind, place.name))


def _row_of(cube: Cube, metric: int, paths: Sequence[int]) -> PropertyText | None:
    """Return the row of texts that fits a property at a statement's call paths; None if none does."""
    path = paths[0]
    row = of_trace(cube.metric_path(metric), cube.paths[path].kind)
    if row is IMBALANCE_IN_LOOP and _is_dynamic(cube, paths):
        return LAST_CHUNK_IN_LOOP
    if row is not None and row.name in _LATE and not _is_uneven(cube, metric, path):
        return _LATE[row.name]
    if row is SERIAL_SINGLE and not _is_block(cube, metric, path):
        return LATE_AT_SINGLE
    if row is FREQUENT_ATOMIC and cube.paths[path].name == "read":
        return FREQUENT_ATOMIC_READ
    if row is TEAM_MANAGEMENT:
        return team_text(cube, paths, float(cube.dense(metric)[list(paths)].sum()))
    return row


def row_of(cube: Cube, finding: Finding) -> PropertyText | None:
    """Return the row of a finding's texts; None if none fits."""
    paths = [path for path, _ in finding.paths] or [finding.path]
    return finding.text or _row_of(cube, finding.metric, paths)


def reason_at_construct(cube: Cube, metric: int, path: int) -> str:
    """Return the sentence on a wait at the end of a construct of this kind; "" for other properties."""
    names = cube.metric_path(metric)
    row = _row_of(cube, metric, (path,)) if names[-2:] == ["Implicit", "Wait at Barrier"] else None
    return row.description if row is not None and cube.paths[path].kind in row.kinds else ""


def is_wait_for_kernels(cube: Cube, metric: int, path: int) -> bool:
    """Return whether a property at a call path is a wait for tasks, and these are kernels."""
    return cube.metrics[metric].name in _FOR_TASKS and bool(waits_for_kernels(cube.paths)[path])


_FOR_TASKS = ("Taskwait", "Taskgroup", "Wait for Tasks")
"""Properties of waits for tasks."""

_LATE = {text.name: text for text in (LATE_IN_LOOP, LATE_IN_REGION)}
"""Texts of waits at the end of loops and regions that uneven work does not explain."""

_EXPLAINED = 0.5
"""Share of a wait that uneven work has to account for to be the reason."""


def _is_uneven(cube: Cube, metric: int, path: int) -> bool:
    """Return whether threads wait for others that compute more at a call path and below it."""
    work, arrived = _work_at(cube, path)
    if not arrived.any():
        return True
    missed = float((work[arrived].max() - work[arrived]).sum())
    return missed >= _EXPLAINED * float(cube.dense(metric)[path].sum())


def _is_dynamic(cube: Cube, paths: Sequence[int]) -> bool:
    """Return whether the OpenMP runtime hands out a loop's chunks while the loop runs."""
    is_here = np.zeros(len(cube.paths), np.bool_)
    is_here[list(paths)] = True
    return _total(cube, "Chunks", is_here) > 0


def _is_block(cube: Cube, metric: int, path: int) -> bool:
    """Return whether the work of a single's block explains the wait of the others."""
    work, arrived = _work_at(cube, path)
    others = max(0, int(arrived.sum()) - 1)
    return others * float(work.sum()) >= _EXPLAINED * float(cube.dense(metric)[path].sum())


def _work_at(cube: Cube, path: int) -> tuple[Ticks, Flags]:
    """Return each thread's seconds of computing at a call path and below it, and whether it came
    there."""
    inside = np.zeros(len(cube.paths), np.bool_)
    for row, place in enumerate(cube.paths):
        inside[row] = row == path or (place.above >= 0 and bool(inside[place.above]))
    work = _by_thread(cube, "Execution", inside) - _by_thread(cube, "OpenMP", inside)
    return work, _by_thread(cube, "Visits", inside) > 0


def team_text(cube: Cube, paths: Iterable[int], seconds: float) -> PropertyText:
    """Return the row for teams at a statement's call paths that cost these seconds of all threads."""
    visits = visits_of(cube, paths)
    if float(visits.max()) <= 1:
        return TEAM_STARTED_ONCE
    return SLOW_TEAM if seconds > SLOW_TEAM_PRICE * float(visits.sum()) else TEAM_MANAGEMENT


def visits_of(cube: Cube, paths: Iterable[int]) -> Ticks:
    """Return how often each thread comes to the call paths."""
    chosen = np.zeros(len(cube.paths), np.bool_)
    chosen[list(paths)] = True
    return _by_thread(cube, "Visits", chosen)


def full_advice(cube: Cube, finding: Finding, tasks: TaskEvidence | None) -> str:
    """Return the advice for a finding, behind the sentence on its remedies."""
    processors = finding.processors
    if finding.text:
        queued = processors.explain(finding.severity)
        place = cube.paths[finding.path]
        has_nowait = finding.is_combined or takes_nowait(place.kind, place.name)
        advice = finding.text.advice_for(None, False, processors.use, queued, has_nowait)
        if advice == finding.text.advice_for_kernels:
            advice = advice_on_kernels(finding.text, processors.run_kernels)
    else:
        paths = [path for path, _ in finding.paths] or [finding.path]
        advice = advice_of(cube, finding.metric, paths, tasks, processors)
    return " ".join(filter(None, (sentence_of(finding.remedies), advice)))


def tasks_of(cube: Cube) -> TaskEvidence | None:
    """Return the tasks of a run: their number, and seconds for each; None if there are none."""
    is_task = np.array([place.task for place in cube.paths], np.bool_)
    inside = is_task.copy()
    for path, place in enumerate(cube.paths):
        inside[path] |= place.above >= 0 and bool(inside[place.above])
    tasks = int(_total(cube, "Visits", is_task))
    if not tasks:
        return None
    openmp = _total(cube, "OpenMP", inside) + _total(cube, "MPI", inside)
    work = max(0.0, _total(cube, "Execution", inside) - openmp)
    everywhere = np.ones(len(cube.paths), np.bool_)
    creation = _total(cube, "Task Creation", everywhere)
    return TaskEvidence(tasks, work / tasks, creation / tasks, len(cube.threads))


def _total(cube: Cube, name: str, paths: Flags) -> float:
    """Return the severity of the property of this name at the call paths; 0 if it is not there."""
    return float(_by_thread(cube, name, paths).sum())


def _by_thread(cube: Cube, name: str, paths: Flags) -> Ticks:
    rows = [row for row, metric in enumerate(cube.metrics) if metric.name == name]
    if not rows:
        return np.zeros(len(cube.threads))
    return np.asarray(cube.dense(rows[0])[paths].sum(axis=0))
