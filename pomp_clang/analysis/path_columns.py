"""The columns of a call path: those of its region, with inclusive and exclusive body times.

As in ompP, `bodyT/I` is inclusive, as in the flat profile. `bodyT/E` is exclusive: without the call
paths below. Constructs without a body have execT in both ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter

from pomp_clang.analysis.callpaths import PathProfile, ThreadVisits, spent
from pomp_clang.analysis.columns import ReportColumn, columns_of, without_tasks
from pomp_clang.analysis.profile import NOTHING, RegionProfile, ThreadValues, summed, with_further
from pomp_clang.experiment.model import Experiment, Measured

_NOTHING_INSIDE = frozenset(("atomic", "flush", "barrier", "lock"))

_BODIES = frozenset(("bodyT", "singleT", "sectT"))


@dataclass(frozen=True, slots=True)
class PathColumn(ReportColumn):
    """A column of a call path; `exclusive` if the time of paths below is subtracted."""

    exclusive: bool = False


_EXECT = (
    PathColumn("execT/I", attrgetter("execT")),
    PathColumn("execT/E", without_tasks, exclusive=True),
)
_TASK = {True: ("execT", "execC"), False: ("createT", "createC")}
"""Columns of a task's execution and of its creation, which are two call paths."""

_LOOP_TASKS = frozenset(("loopT", "loopC"))
"""Columns of a taskloop's tasks, which have a call path of their own."""


def path_columns(kind: str, task: bool) -> tuple[ReportColumn, ...]:
    """Return the columns of a kind; `task` if the region runs as a task on this path."""
    columns = columns_of(kind)
    if kind in _NOTHING_INSIDE:
        return columns
    if task or kind == "task":
        columns = tuple(c for c in columns if c.name in _TASK[task])
    columns = tuple(c for c in columns if c.name not in _LOOP_TASKS)
    bodies = _BODIES.intersection(column.name for column in columns)
    return tuple(part for column in columns for part in _parts(column, bodies))


def _parts(column: ReportColumn, bodies: frozenset[str]) -> tuple[ReportColumn, ...]:
    if column.name in bodies:
        return (
            PathColumn(f"{column.name}/I", column.value),
            PathColumn(f"{column.name}/E", column.value, exclusive=True),
        )
    return _EXECT if column.name == "execT" and not bodies else (column,)


def column_profiles(
    experiment: Experiment, paths: Iterable[PathProfile]
) -> Iterator[RegionProfile]:
    """Yield the profile of each call path, with the columns of its region."""
    tids = sorted(location.tid for location in experiment.locations)
    for path in paths:
        columns = columns_at(experiment, path)
        nothing = tuple(column.value(NOTHING) for column in columns)
        rows = {tid: ThreadValues(tid, NOTHING, nothing) for tid in tids}
        rows |= {visits.tid: row_of(experiment, path, columns, visits) for visits in path.threads}
        all_rows = tuple(rows.values())
        yield RegionProfile(path.region, columns, all_rows, summed(all_rows, columns))


def columns_at(experiment: Experiment, path: PathProfile) -> tuple[ReportColumn, ...]:
    """Return the columns of a path that any of its threads has."""
    measured = (_measured(experiment, path, visits) for visits in path.threads)
    return with_further(path_columns(path.region.kind, path.path.task), measured)


def row_of(
    experiment: Experiment,
    path: PathProfile,
    columns: tuple[ReportColumn, ...],
    visits: ThreadVisits,
) -> ThreadValues:
    """Build one thread's row at a path."""
    measured = _measured(experiment, path, visits)
    below = spent(measured, path.region) - measured.taskT - visits.exclusive
    return ThreadValues(
        visits.tid, measured, tuple(_value(column, measured, below) for column in columns)
    )


def _measured(experiment: Experiment, path: PathProfile, visits: ThreadVisits) -> Measured:
    return experiment.callpath_profile.get((path.path.id, visits.tid), NOTHING)


def _value(column: ReportColumn, measured: Measured, below: float) -> float:
    value = column.value(measured)
    if isinstance(column, PathColumn) and column.exclusive:
        return max(0.0, min(value, value - below))
    return value
