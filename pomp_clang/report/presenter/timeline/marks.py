"""The worst instances of each property, which the page marks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.distinct import distinct
from pomp_clang.causes.occurrence import Occurrences, joined
from pomp_clang.causes.occurrences import parts_of, pieces_of
from pomp_clang.causes.property import Property
from pomp_clang.causes.run import Progress, Run, silent
from pomp_clang.report.presenter.timeline.pack import Pack
from pomp_clang.report.presenter.timeline.span import Span
from pomp_clang.trace.model import Ints

MOST = 6000
"""Instances of a property that a page has, of each call path at least `FEWEST` and at most `EACH`."""

FEWEST, EACH = 4, 1000

_WAITING = 1 << 16
"""Instances that are looked through together."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The worst first; `count` and `severity` are of all that there are of the property.  A cause
    has a remedy."""

    metric: int
    is_cause: bool
    worst: Occurrences
    count: int
    severity: float
    unit: str = "s"


def marks_of(run: Run, kinds: list[type[Property]], progress: Progress = silent) -> list[Marks]:
    """Of the properties that have any, each with its row."""
    found: dict[type[Property], Marks] = {}
    for metric, kind in reversed(list(enumerate(kinds))):
        progress(f"instances of {kind.name}", 1 - metric / len(kinds))
        parts = [found[each] for each in parts_of(kind, kinds, run) if each in found]
        own = worst_of_pieces(pieces_of(kind, run), len(run.paths))
        marks = _worst(metric, kind.remedy is not None, [own, *parts])
        marks = replace(marks, unit=kind.unit)
        if marks.count:
            found[kind] = marks
    return [_fitting(found[kind]) for kind in kinds if kind in found]


def worst_of_pieces(pieces: Iterable[Occurrences], paths: int) -> Marks:
    """Of many only those are looked at that are worse than so many others before."""
    least, most = np.zeros(paths), EACH
    is_met = np.zeros(paths, np.bool_)
    kept, count, severity = joined([]), 0, 0.0
    waiting: list[Occurrences] = []
    length = 0
    for piece in pieces:
        count += len(piece.severity)
        severity += float(piece.severity.sum())
        rows = np.flatnonzero(piece.severity > least[piece.path])
        is_met[piece.path[rows]] = True
        waiting.append(piece.take(rows))
        length += len(rows)
        if length > _WAITING + len(kept.severity):
            most = _most(int(is_met.sum()))
            kept, waiting, length = _worst_joined([kept, *waiting], most), [], 0
            least = _least(kept, paths, most)
    return Marks(-1, False, _worst_joined([kept, *waiting], most), count, severity)


def _most(paths: int) -> int:
    """How many of each call path there is room for, of those with so many: fewer of more."""
    return int(np.clip(MOST // max(1, paths), FEWEST, EACH))


def _worst_joined(several: Iterable[Occurrences], most: int = EACH) -> Occurrences:
    every = joined(several)
    return every.take(worst_of_each(every.path, every.severity, most))


def _least(kept: Occurrences, paths: int, most: int) -> npt.NDArray[np.float64]:
    """What an instance has to have more than, at each call path, to be of the worst."""
    least = np.full(paths, np.inf)
    np.minimum.at(least, kept.path, kept.severity)
    least[np.bincount(kept.path, minlength=paths) < most] = 0
    return least


def _worst(metric: int, is_cause: bool, several: Iterable[Marks]) -> Marks:
    kept = [each for each in several if each.count]
    if len(kept) == 1:
        return replace(kept[0], metric=metric, is_cause=is_cause)
    worst = _worst_joined(each.worst for each in kept)
    count = sum(each.count for each in kept)
    return Marks(metric, is_cause, worst, count, sum(each.severity for each in kept))


def worst_of_several(several: list[Marks]) -> Marks:
    """Of one property, at rows that all of them have."""
    first = several[0]
    return _fitting(replace(_worst(first.metric, first.is_cause, several), unit=first.unit))


def _fitting(marks: Marks) -> Marks:
    worst = marks.worst
    rows = worst_of_each(worst.path, worst.severity, _most(len(distinct(worst.path))))
    rows = rows[np.argsort(-worst.severity[rows], kind="stable")]
    return replace(marks, worst=worst.take(rows))


def worst_of_each(path: npt.NDArray[Any], severity: npt.NDArray[np.float64], most: int) -> Ints:
    """Rows of the worst of each call path, in no order."""
    if len(path) <= most:
        return np.arange(len(path))
    order = np.argsort(path.astype(np.uint16) if path.max() < 1 << 16 else path, kind="stable")
    heads = np.flatnonzero(np.append(True, np.diff(path[order]) != 0)[: len(order)])
    sizes = np.diff(heads, append=len(order))
    is_kept = np.ones(len(order), np.bool_)
    for group in np.flatnonzero(sizes > most):
        here = slice(heads[group], heads[group] + sizes[group])
        is_kept[here] = False
        worst = np.argpartition(-severity[order[here]], most)[:most]
        is_kept[heads[group] + worst] = True
    return order[is_kept]


def packed(run: Span, marks: Iterable[Marks], pack: Pack) -> dict[str, Any]:
    """What the page reads: of each property how many instances, and columns of the worst; ticks
    since the start."""
    marks = list(marks)
    none = np.zeros(0, np.int64)
    worst = [each.worst for each in marks]
    columns = {
        "thread": np.concatenate([none, *(each.thread for each in worst)]),
        "path": np.concatenate([none, *(each.path for each in worst)]),
        "begin": np.concatenate([none, *(np.maximum(0, each.begin - run.start) for each in worst)]),
        "length": np.concatenate([none, *(each.end - each.begin for each in worst)]),
    }
    severity = np.concatenate([none, *(each.severity for each in worst)])
    return {
        "of": [
            {
                "metric": each.metric,
                "rows": len(each.worst.severity),
                "count": each.count,
                "severity": each.severity,
                "unit": each.unit,
            }
            for each in marks
        ],
        **{name: pack.add(np.maximum(0, column)) for name, column in columns.items()},
        "severity": pack.add_floats(severity),
    }
