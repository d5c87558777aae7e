"""The worst instances of each property, marked on the page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.properties.instance_sources import (
    InstanceSource,
    SharedInstances,
    cell_of,
)
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.properties.registry import instances_of, parts_of
from pomp_clang.causes.run.instance import Instances, joined
from pomp_clang.causes.run.run import Progress, Run, silent
from pomp_clang.causes.timeline.columns import distinct
from pomp_clang.report.page.packed_columns import Pack
from pomp_clang.report.page.timeline.states import Span
from pomp_clang.trace.model import Ints

MOST = 6000
"""A page's limit of instances per property: at least `FEWEST` and at most `EACH` per call path."""

FEWEST, EACH = 4, 1000

_WAITING = 1 << 16
"""The number of instances that are compared at once."""


@dataclass(frozen=True, slots=True)
class InstanceMarks:
    """The worst first; `count` and `severity` are of all that there are of the property.  A cause
    has a remedy."""

    metric: int
    is_cause: bool
    worst: Instances
    count: int
    severity: float
    unit: str = "s"


def marks_of(
    run: Run, kinds: list[type[Property]], progress: Progress = silent
) -> list[InstanceMarks]:
    """Collect the worst instances of each property that has any."""
    marks_by_kind: dict[type[Property], InstanceMarks] = {}
    candidates: dict[InstanceSource, Instances] = {}
    for metric, kind in reversed(list(enumerate(kinds))):
        progress(f"instances of {kind.name}", 1 - metric / len(kinds))
        parts = [
            marks_by_kind[part] for part in parts_of(kind, kinds, run) if part in marks_by_kind
        ]
        pieces = instances_of(kind, run)
        if isinstance(pieces, SharedInstances):
            instances = _worst_of_shared(pieces, candidates)
        else:
            instances = worst_of_pieces(pieces or (), len(run.paths))
        marks = _worst_of_property(metric, kind.remedy is not None, [instances, *parts])
        marks = replace(marks, unit=kind.unit)
        if marks.count:
            marks_by_kind[kind] = marks
    return [_within_limit(marks_by_kind[kind]) for kind in kinds if kind in marks_by_kind]


def worst_of_pieces(
    pieces: Iterable[Instances], paths: int, limit_of_path: int | None = None
) -> InstanceMarks:
    """Keep the worst instances of each call path; once there are enough, only worse ones are looked
    at. The limit is that of the page if `limit_of_path` is None."""
    minimum, limit = np.zeros(paths), limit_of_path or EACH
    is_met = np.zeros(paths, np.bool_)
    worst, count, severity = joined([]), 0, 0.0
    waiting: list[Instances] = []
    length = 0
    for piece in pieces:
        count += len(piece.severity)
        severity += float(piece.severity.sum())
        rows = np.flatnonzero(piece.severity > minimum[piece.path])
        is_met[piece.path[rows]] = True
        waiting.append(piece.take(rows))
        length += len(rows)
        if length > _WAITING + len(worst.severity):
            limit = limit_of_path or _instances_per_path(int(is_met.sum()))
            worst, waiting, length = _worst_joined([worst, *waiting], limit), [], 0
            minimum = _least(worst, paths, limit)
    return InstanceMarks(-1, False, _worst_joined([worst, *waiting], limit), count, severity)


def _worst_of_shared(
    shared: SharedInstances, candidates: dict[InstanceSource, Instances]
) -> InstanceMarks:
    """Keep the worst instances of a property that shares a source with others.

    The worst of a call path and thread are the worst of the source there, for each of the
    properties. `candidates` has these for each source.
    """
    if shared.source not in candidates:
        candidates[shared.source] = _worst_of_source(shared.source, shared.run)
    worst = _worst_joined([shared.worst(candidates[shared.source])], EACH)
    return InstanceMarks(-1, False, worst, *shared.totals())


def _worst_of_source(source: InstanceSource, run: Run) -> Instances:
    """Return the worst instances of each call path and thread."""
    threads = np.int64(len(run.threads))
    by_cell = (replace(piece, path=cell_of(run, piece)) for piece in source.tallied(run))
    worst = worst_of_pieces(by_cell, len(run.paths) * len(run.threads), EACH).worst
    return replace(worst, path=worst.path // threads)


def _instances_per_path(paths: int) -> int:
    """Return how many instances of each call path fit: fewer, if there are more call paths."""
    return int(np.clip(MOST // max(1, paths), FEWEST, EACH))


def _worst_joined(tables: Iterable[Instances], limit: int = EACH) -> Instances:
    every = joined(tables)
    return every.take(worst_rows_by_path(every.path, every.severity, limit))


def _least(worst: Instances, paths: int, limit: int) -> npt.NDArray[np.float64]:
    """Return the severity that an instance must exceed at each call path to be kept."""
    minimum = np.full(paths, np.inf)
    np.minimum.at(minimum, worst.path, worst.severity)
    minimum[np.bincount(worst.path, minlength=paths) < limit] = 0
    return minimum


def _worst_of_property(
    metric: int, is_cause: bool, all_marks: Iterable[InstanceMarks]
) -> InstanceMarks:
    nonempty = [marks for marks in all_marks if marks.count]
    if len(nonempty) == 1:
        return replace(nonempty[0], metric=metric, is_cause=is_cause)
    worst = _worst_joined(marks.worst for marks in nonempty)
    count = sum(marks.count for marks in nonempty)
    return InstanceMarks(metric, is_cause, worst, count, sum(marks.severity for marks in nonempty))


def worst_of_several(all_marks: list[InstanceMarks]) -> InstanceMarks:
    """Merge the instances of one property from several runs with the same rows."""
    first = all_marks[0]
    return _within_limit(
        replace(_worst_of_property(first.metric, first.is_cause, all_marks), unit=first.unit)
    )


def _within_limit(marks: InstanceMarks) -> InstanceMarks:
    worst = marks.worst
    rows = worst_rows_by_path(
        worst.path, worst.severity, _instances_per_path(len(distinct(worst.path)))
    )
    rows = rows[np.argsort(-worst.severity[rows], kind="stable")]
    return replace(marks, worst=worst.take(rows))


def worst_rows_by_path(
    path: npt.NDArray[Any], severity: npt.NDArray[np.float64], limit: int
) -> Ints:
    """Return the rows of the worst instances of each call path, unordered."""
    if len(path) <= limit:
        return np.arange(len(path))
    order = np.argsort(path.astype(np.uint16) if path.max() < 1 << 16 else path, kind="stable")
    heads = np.flatnonzero(np.append(True, np.diff(path[order]) != 0)[: len(order)])
    sizes = np.diff(heads, append=len(order))
    is_kept = np.ones(len(order), np.bool_)
    for group in np.flatnonzero(sizes > limit):
        group_rows = slice(heads[group], heads[group] + sizes[group])
        is_kept[group_rows] = False
        worst = np.argpartition(-severity[order[group_rows]], limit)[:limit]
        is_kept[heads[group] + worst] = True
    return order[is_kept]


def packed(run: Span, marks: Iterable[InstanceMarks], pack: Pack) -> dict[str, Any]:
    """Pack what the page reads: the counts of each property, and columns of the worst instances
    in ticks since the start."""
    marks = list(marks)
    none = np.zeros(0, np.int64)
    worst = [mark.worst for mark in marks]
    columns = {
        "thread": np.concatenate([none, *(marks.thread for marks in worst)]),
        "path": np.concatenate([none, *(marks.path for marks in worst)]),
        "begin": np.concatenate(
            [none, *(np.maximum(0, marks.begin - run.start) for marks in worst)]
        ),
        "length": np.concatenate([none, *(marks.end - marks.begin for marks in worst)]),
    }
    severity = np.concatenate([none, *(marks.severity for marks in worst)])
    return {
        "of": [
            {
                "metric": mark.metric,
                "rows": len(mark.worst.severity),
                "count": mark.count,
                "severity": mark.severity,
                "unit": mark.unit,
            }
            for mark in marks
        ],
        **{name: pack.add(np.maximum(0, column)) for name, column in columns.items()},
        "severity": pack.add_floats(severity),
    }
